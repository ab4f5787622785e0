/**
 * Programs that DL4J trains on Spark, without Spark: the same names, over collections of this
 * process and Flink's workers.
 */
package dev.millrace.dl4j.spark;
