/** How much each replica learns, and what its process uses. Knows no Flink. */
package dev.millrace.exchange.process;
