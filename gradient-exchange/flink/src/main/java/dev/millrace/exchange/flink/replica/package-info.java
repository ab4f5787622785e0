/** The replica as a Flink operator, and the gate that keeps its source from running ahead of it. */
package dev.millrace.exchange.flink.replica;
