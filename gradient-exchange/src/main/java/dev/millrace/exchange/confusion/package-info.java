/** Which classes are taken for which, of the latest examples. Knows no Flink. */
package dev.millrace.exchange.confusion;
