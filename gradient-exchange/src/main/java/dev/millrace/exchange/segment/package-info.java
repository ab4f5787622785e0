/**
 * Examples of a stream that are held out of training, to measure the model by each part of what it
 * has been taught. Knows no Flink.
 */
package dev.millrace.exchange.segment;
