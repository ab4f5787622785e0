/**
 * The training log: what each replica did and was told, in order, so that a model can be made again
 * bit for bit. No Flink.
 */
package dev.millrace.exchange.log;
