/** The scoring job: predictions for a stream, by the newest published model. */
package dev.millrace.job.score;
