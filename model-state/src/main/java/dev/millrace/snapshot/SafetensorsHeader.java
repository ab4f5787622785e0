package dev.millrace.snapshot;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a file of the format safetensors begins with: eight bytes of the length of what follows, and
 * as JSON each tensor's type, shape and place. The values stand behind it, little-endian, in the
 * order in which the tensors were added, without gaps.
 */
public final class SafetensorsHeader {

  private static final int ALIGNMENT = 8;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final ObjectNode header = MAPPER.createObjectNode();
  private long offset;

  /**
   * @param facts are for people and programs to read, beside the tensors
   */
  public SafetensorsHeader(Map<String, String> facts) {
    ObjectNode metadata = header.putObject("__metadata__");
    facts.forEach(metadata::put);
  }

  /**
   * Adds a tensor behind the others.
   *
   * @param type of its values, as the format names it, such as {@code F32}
   * @param bytes of all its values
   * @return where its values begin, counted from the end of the header
   * @throws IOException if there is one of that name
   */
  public long add(String name, String type, Iterable<? extends Number> shape, long bytes)
      throws IOException {
    if (header.has(name)) {
      throw new IOException("two of its tensors have one name");
    }
    ObjectNode entry = header.putObject(name);
    entry.put("dtype", type);
    ArrayNode sizes = entry.putArray("shape");
    shape.forEach(size -> sizes.add(size.longValue()));
    long begin = offset;
    offset += bytes;
    entry.putArray("data_offsets").add(begin).add(offset);
    return begin;
  }

  /** Returns the bytes of the header, a multiple of eight. */
  public byte[] toBytes() throws IOException {
    byte[] text = MAPPER.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
    int padding = Math.floorMod(-text.length, ALIGNMENT);
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + text.length + padding);
    bytes.order(ByteOrder.LITTLE_ENDIAN).putLong(text.length + padding).put(text);
    while (bytes.hasRemaining()) {
      bytes.put((byte) ' ');
    }
    return bytes.array();
  }
}
