/** From checked options to a job that joins. */
package dev.millrace.job.join.setup;
