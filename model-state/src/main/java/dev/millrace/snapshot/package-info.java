/**
 * Global models outside Flink: an archive in the engine's format with a JSON description beside it,
 * written whole or not at all.
 */
package dev.millrace.snapshot;
