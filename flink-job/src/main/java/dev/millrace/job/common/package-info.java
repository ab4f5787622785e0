/**
 * What jobs of all kinds are made with: their input, their checkpoints, the names of their
 * operators.
 */
package dev.millrace.job.common;
