/**
 * A real Flink cluster on one machine, each of its parts a process of its own that outlives the
 * command that started it.
 */
package dev.millrace.local.cluster;
