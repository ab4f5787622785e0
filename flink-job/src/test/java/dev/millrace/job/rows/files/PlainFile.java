package dev.millrace.job.rows.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of rows as its format describes it, read as a program of others would. */
record PlainFile(JsonNode header, long[] ids, long[] removed, float[] values) {

  static PlainFile read(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    int length = Math.toIntExact(bytes.getLong());
    JsonNode header = new ObjectMapper().readTree(new String(bytes.array(), 8, length, UTF_8));
    return new PlainFile(
        header,
        longs(bytes, 8 + length, header.path("id")),
        longs(bytes, 8 + length, header.path("removed")),
        floats(bytes, 8 + length, header.path("values")));
  }

  private static ByteBuffer of(ByteBuffer bytes, int begin, JsonNode tensor) {
    JsonNode offsets = tensor.path("data_offsets");
    return bytes
        .slice(begin + offsets.get(0).asInt(), offsets.get(1).asInt() - offsets.get(0).asInt())
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long[] longs(ByteBuffer bytes, int begin, JsonNode tensor) {
    long[] values = new long[tensor.path("shape").get(0).asInt()];
    of(bytes, begin, tensor).asLongBuffer().get(values);
    return values;
  }

  private static float[] floats(ByteBuffer bytes, int begin, JsonNode tensor) {
    float[] values =
        new float[tensor.path("shape").get(0).asInt() * tensor.path("shape").get(1).asInt()];
    of(bytes, begin, tensor).asFloatBuffer().get(values);
    return values;
  }

  List<Float> row(int number, int dimension) {
    List<Float> row = new ArrayList<>();
    for (int i = 0; i < dimension; i++) {
      row.add(values[number * dimension + i]);
    }
    return row;
  }
}
