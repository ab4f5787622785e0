/** Keeps rows of embedding tables for the ids of named fields. */
package dev.millrace.job.train.part.rows;
