/** What Millrace is compared with on Spark: DL4J's parameter averaging, in a process of its own. */
package dev.millrace.benchmark.spark;
