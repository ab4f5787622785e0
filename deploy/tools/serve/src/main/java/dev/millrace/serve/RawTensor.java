package dev.millrace.serve;

import java.nio.ByteBuffer;

/**
 * A tensor with its elements as bytes, little-endian, one behind the other; before a text stand
 * four bytes with its length.
 *
 * @param shape its lengths, rows first
 * @param datatype by the protocol's name
 */
public record RawTensor(String name, String datatype, int[] shape, ByteBuffer data) {}
