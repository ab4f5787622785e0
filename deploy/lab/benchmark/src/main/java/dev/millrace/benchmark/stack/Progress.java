package dev.millrace.benchmark.stack;

/**
 * How far a job had come.
 *
 * @param time in milliseconds since 1970
 * @param generation counts its restores
 * @param examples that its model has learned from
 */
public record Progress(long time, long generation, long examples) {}
