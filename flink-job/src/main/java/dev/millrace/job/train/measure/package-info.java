/** Measures the global model: on a hold-out set, and on each segment of what it has been taught. */
package dev.millrace.job.train.measure;
