/** Starts, shows and stops a Flink cluster on this machine. */
package dev.millrace.cli.cluster;
