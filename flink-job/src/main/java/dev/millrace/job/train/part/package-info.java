/**
 * Holds the seam between the training job and its optional parts. Each has a folder of its own:
 * without it and its line in {@code OptionalParts} the job is built as before.
 */
package dev.millrace.job.train.part;
