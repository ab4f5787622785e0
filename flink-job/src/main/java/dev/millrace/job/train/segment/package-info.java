/** Measures the global model on each segment of what it has been taught. */
package dev.millrace.job.train.segment;
