/** Holds Flink's shells of embedding tables: their keyed state, and the way back to replicas. */
package dev.millrace.exchange.flink.rows;
