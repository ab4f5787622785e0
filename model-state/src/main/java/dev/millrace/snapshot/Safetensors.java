package dev.millrace.snapshot;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.features.Standardization;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes parameters in the format safetensors of Hugging Face, which has tensors by name and no
 * code: a {@linkplain SafetensorsHeader header}, and the values, little-endian. Updater state isn't
 * part of it.
 */
public final class Safetensors {

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
    SafetensorsHeader header = new SafetensorsHeader(facts);
    for (TensorDescription tensor : tensors) {
      header.add(tensor.name(), "F32", tensor.shape(), (long) tensor.length() * Float.BYTES);
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      out.write(header.toBytes());
      for (TensorDescription tensor : tensors) {
        write(vector, tensor.from(), tensor.length(), out);
      }
    }
  }

  /** Means, scales and clip of features, as JSON for the facts. */
  public static String json(Standardization standardization) throws IOException {
    return MAPPER.writeValueAsString(standardization);
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
