/**
 * Records in Avro, by a given schema or by those of a registry. Values are read as the schema lays
 * them out, without an object for each record. It knows neither Flink nor Kafka.
 */
package dev.millrace.avro;
