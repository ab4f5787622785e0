/**
 * Kafka, and all that Millrace knows of it: the source of examples, the sinks, the check of topics
 * before a job is submitted, the producer, and a local broker.
 */
package dev.millrace.kafka;
