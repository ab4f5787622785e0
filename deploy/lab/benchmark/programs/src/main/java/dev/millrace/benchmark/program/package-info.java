/** A program of DL4J and the same one with other imports, each in a process of its own. */
package dev.millrace.benchmark.program;
