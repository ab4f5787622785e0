/**
 * Records in Avro, by a given schema or by those of a registry. Values are read as the schema lays
 * them out, without an object for each record. It knows neither Flink nor Kafka.
 *
 * <p>Avro's own readers, with a reader's schema of the wanted fields, are about as fast (see {@code
 * docs/benchmarks/decoders.md}). They believe what a value says: they allocate as many items as it
 * claims, and the fast one overflows the stack on nested values. Here depth, counts and lengths are
 * bounded, of values that nobody wants, too, and a key that comes twice is refused.
 */
package dev.millrace.avro;
