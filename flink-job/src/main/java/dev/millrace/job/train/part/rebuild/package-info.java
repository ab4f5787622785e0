/** Writes the training log, from which {@code millrace rebuild} makes models again. */
package dev.millrace.job.train.part.rebuild;
