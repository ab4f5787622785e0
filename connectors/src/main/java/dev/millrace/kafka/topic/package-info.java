/** Looks at topics, reads and writes them, outside of Flink. */
package dev.millrace.kafka.topic;
