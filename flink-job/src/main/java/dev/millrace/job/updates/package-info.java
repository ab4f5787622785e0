/**
 * What a job learns between two whole models, as a stream of small updates that followers add to
 * the model which they have. A part of its own: who deletes it follows whole models.
 */
package dev.millrace.job.updates;
