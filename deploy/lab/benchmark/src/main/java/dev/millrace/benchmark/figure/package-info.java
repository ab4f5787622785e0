/** The benchmarks: each measures one thing, and writes one page. */
package dev.millrace.benchmark.figure;
