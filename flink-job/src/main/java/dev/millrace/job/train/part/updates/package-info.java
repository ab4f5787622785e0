/** Publishes what is learned between two whole models, as a part of training. */
package dev.millrace.job.train.part.updates;
