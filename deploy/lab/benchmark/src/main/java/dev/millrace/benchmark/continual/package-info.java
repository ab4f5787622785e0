/** Learning that never ends, measured on streams in their order, through Kafka. */
package dev.millrace.benchmark.continual;
