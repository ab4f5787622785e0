/** Finds drifts and has training react to them. */
package dev.millrace.job.train.part.drift;
