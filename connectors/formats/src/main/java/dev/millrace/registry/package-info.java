/**
 * Schemas out of a registry with Confluent's REST API, and what others who ask by HTTP need:
 * secrets, answers within limits. It knows neither Flink nor Kafka, and no format.
 */
package dev.millrace.registry;
