/** Replicas of an engine without a job around them: what a job's are compared with. */
package dev.millrace.benchmark.replica;
