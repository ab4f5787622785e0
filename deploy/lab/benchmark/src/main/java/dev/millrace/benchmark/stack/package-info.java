/** What users start: clusters, jobs and their processes, by the shipped commands. */
package dev.millrace.benchmark.stack;
