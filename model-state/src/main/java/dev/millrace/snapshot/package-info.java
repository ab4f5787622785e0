/** A model outside Flink: its archive, its description, and how both are written. */
package dev.millrace.snapshot;
