/** The Flink operator that gathers the contributions of a process, and what replicas send it. */
package dev.millrace.exchange.flink.gather;
