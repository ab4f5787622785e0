/** The exchange as Flink operators: thin shells around the plain objects of the other packages. */
package dev.millrace.exchange.flink;
