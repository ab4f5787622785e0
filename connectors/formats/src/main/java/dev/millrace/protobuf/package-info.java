/**
 * Records in Protobuf, by a set of descriptors. Values are read by number and wire type, without an
 * object for each record. It knows neither Flink nor Kafka.
 */
package dev.millrace.protobuf;
