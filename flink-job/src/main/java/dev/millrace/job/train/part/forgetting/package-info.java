/** Keeps replicas near an older model. */
package dev.millrace.job.train.part.forgetting;
