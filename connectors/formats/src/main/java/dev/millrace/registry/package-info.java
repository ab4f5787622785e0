/**
 * Schemas out of a registry with Confluent's REST API. It knows neither Flink nor Kafka, and no
 * format.
 */
package dev.millrace.registry;
