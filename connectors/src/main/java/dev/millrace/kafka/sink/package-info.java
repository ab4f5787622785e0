/** Writes lines, keyed records and dead letters to topics, as Flink sinks. */
package dev.millrace.kafka.sink;
