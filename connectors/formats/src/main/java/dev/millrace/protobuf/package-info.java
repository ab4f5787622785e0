/**
 * Records in Protobuf, by a set of descriptors. Values are read by number and wire type, without an
 * object for each record: {@code DynamicMessage}, which makes some, takes 1.7 to 4 times as long
 * (see {@code docs/benchmarks/decoders.md}). It knows neither Flink nor Kafka.
 */
package dev.millrace.protobuf;
