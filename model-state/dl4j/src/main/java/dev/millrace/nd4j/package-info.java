/**
 * What is put into ND4J itself. A jar of its own, beside ND4J in Flink's {@code lib/}; knows
 * nothing of Millrace.
 */
package dev.millrace.nd4j;
