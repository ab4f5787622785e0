/** Examples that a replica keeps, to learn from them again. No Flink. */
package dev.millrace.exchange.replay;
