package dev.millrace.simulate.job;

/**
 * A file that has come to the place of models.
 *
 * @param overOrNull what was there under its name when its writer began to write; null for nothing
 */
public record WrittenFile(String name, byte[] bytes, byte[] overOrNull) {}
