/**
 * Publishes rows of embedding tables to a directory with each checkpoint, and reads them there. An
 * optional part: without it rows are in topics alone.
 */
package dev.millrace.job.rows.files;
