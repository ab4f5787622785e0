/**
 * Kafka, and all that Millrace knows of it: the source of examples, the sinks, the check of topics
 * before a job is submitted, and the producer.
 */
package dev.millrace.kafka;
