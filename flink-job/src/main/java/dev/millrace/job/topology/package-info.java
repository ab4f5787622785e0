/** The job's graph, in one class. */
package dev.millrace.job.topology;
