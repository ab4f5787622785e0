/** Between a job that is built and a cluster that runs it. */
package dev.millrace.job.submission;
