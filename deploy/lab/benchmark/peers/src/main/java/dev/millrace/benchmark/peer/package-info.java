/**
 * What Millrace is compared with: DL4J by itself and with its {@code ParallelWrapper}, and
 * libtorch, each measured in a process of its own that has nothing of Millrace in it.
 */
package dev.millrace.benchmark.peer;
