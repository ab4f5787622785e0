/** Networks and examples that all learn alike. */
package dev.millrace.benchmark.workload;
