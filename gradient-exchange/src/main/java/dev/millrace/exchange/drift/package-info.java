/** Finds where a stream begins to differ from what it was. Knows neither Flink nor Kafka. */
package dev.millrace.exchange.drift;
