/** From checked options to a scoring job. */
package dev.millrace.job.score.setup;
