/** Predicts and measures any number of examples, and reports on them. */
package dev.millrace.job.evaluate.report;
