/**
 * Makes a job of what a user writes: every option there is, their reader, the checks before a job
 * is submitted, and the training job as a whole.
 */
package dev.millrace.job.setup;
