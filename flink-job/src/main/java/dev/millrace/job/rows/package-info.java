/** Publishes rows of embedding tables to a topic, and keeps copies of it for predictions. */
package dev.millrace.job.rows;
