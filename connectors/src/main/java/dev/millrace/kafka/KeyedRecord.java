package dev.millrace.kafka;

/**
 * A record to be written as it is.
 *
 * @param key null for none
 */
public record KeyedRecord(byte[] key, byte[] value) {}
