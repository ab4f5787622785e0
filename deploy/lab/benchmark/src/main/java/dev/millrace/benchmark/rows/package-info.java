/** Learns rows of embedding tables in a plain loop, to compare jobs with. */
package dev.millrace.benchmark.rows;
