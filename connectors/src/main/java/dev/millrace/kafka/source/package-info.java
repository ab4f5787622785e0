/**
 * Reads examples from topics as a Flink source, whose splits tell of the topic that they are of.
 */
package dev.millrace.kafka.source;
