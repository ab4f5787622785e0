/** How able a network still is to learn, measured layer by layer. Knows no Flink. */
package dev.millrace.exchange.plasticity;
