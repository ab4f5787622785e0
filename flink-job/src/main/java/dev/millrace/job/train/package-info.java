/** The training job: its graph, and what its operators are called. */
package dev.millrace.job.train;
