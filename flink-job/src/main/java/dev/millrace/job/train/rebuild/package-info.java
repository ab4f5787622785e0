/**
 * Makes a model again from the training log and the records that the log names: the job's own
 * replicas, coordinator and blocks, in one thread and without Flink.
 */
package dev.millrace.job.train.rebuild;
