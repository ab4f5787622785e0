/**
 * The replica's side of the exchange: what it contributes and how it takes results in. No Flink.
 */
package dev.millrace.exchange.replica;
