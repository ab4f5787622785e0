/** The evaluation job: its graph and its operators. */
package dev.millrace.job.evaluate;
