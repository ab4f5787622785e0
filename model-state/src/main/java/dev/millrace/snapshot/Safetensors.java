package dev.millrace.snapshot;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.features.Standardization;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes parameters in the format safetensors of Hugging Face, which has tensors by name and no
 * code: eight bytes of the header's length, the header as JSON, and the values, little-endian.
 * Updater state isn't part of it.
 */
public final class Safetensors {

  private static final int ALIGNMENT = 8;
  private static final int CHUNK_FLOATS = 1 << 14;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Safetensors() {}

  /**
   * Writes the tensors of a model.
   *
   * @param tensors see {@link ModelEngine#tensors}
   * @param vector that they are parts of
   * @param facts are for people and programs to read, beside the tensors
   * @param file is created or replaced; the caller sees to it that nobody reads half of it
   */
  public static void write(
      List<TensorDescription> tensors, float[] vector, Map<String, String> facts, Path file)
      throws IOException {
    byte[] header = header(tensors, facts);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      out.write(length.putLong(header.length).array());
      out.write(header);
      for (TensorDescription tensor : tensors) {
        write(vector, tensor.from(), tensor.length(), out);
      }
    }
  }

  /** Means, scales and clip of features, as JSON for the facts. */
  public static String json(Standardization standardization) throws IOException {
    return MAPPER.writeValueAsString(standardization);
  }

  private static byte[] header(List<TensorDescription> tensors, Map<String, String> facts)
      throws IOException {
    ObjectNode header = MAPPER.createObjectNode();
    ObjectNode metadata = header.putObject("__metadata__");
    facts.forEach(metadata::put);
    long offset = 0;
    for (TensorDescription tensor : tensors) {
      ObjectNode entry = header.putObject(tensor.name());
      entry.put("dtype", "F32");
      ArrayNode shape = entry.putArray("shape");
      tensor.shape().forEach(shape::add);
      ArrayNode place = entry.putArray("data_offsets");
      place.add(offset);
      offset += (long) tensor.length() * Float.BYTES;
      place.add(offset);
    }
    if (header.size() != tensors.size() + 1) {
      throw new IOException("two of its tensors have one name");
    }
    String text = MAPPER.writeValueAsString(header);
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    // Values begin at a multiple of eight bytes.
    return (text + " ".repeat(Math.floorMod(-bytes, ALIGNMENT))).getBytes(StandardCharsets.UTF_8);
  }

  private static void write(float[] values, int from, int length, OutputStream out)
      throws IOException {
    ByteBuffer chunk =
        ByteBuffer.allocate(CHUNK_FLOATS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int done = 0; done < length; done += CHUNK_FLOATS) {
      int count = Math.min(CHUNK_FLOATS, length - done);
      chunk.asFloatBuffer().put(values, from + done, count);
      out.write(chunk.array(), 0, count * Float.BYTES);
    }
  }
}
