/** Predictions for a stream, by the newest model that was published. */
package dev.millrace.job.scoring;
