/** Makes a job that joins of checked options. */
package dev.millrace.job.join.setup;
