/**
 * Whether a model has learned from each record exactly once: its ledger beside what the topics
 * hold. Knows neither Flink nor Kafka.
 */
package dev.millrace.cli.audit;
