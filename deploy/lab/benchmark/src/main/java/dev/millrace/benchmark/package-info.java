/** The command that measures. */
package dev.millrace.benchmark;
