/** From arguments and options to an evaluation job. */
package dev.millrace.job.evaluate.setup;
