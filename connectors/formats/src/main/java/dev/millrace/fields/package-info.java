/**
 * Examples of named fields: what is described of them, and how a record's values become features.
 * It knows no format, and neither Flink nor Kafka.
 */
package dev.millrace.fields;
