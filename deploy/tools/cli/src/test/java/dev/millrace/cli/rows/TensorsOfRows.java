package dev.millrace.cli.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of rows as another program reads it: by its header alone. */
public final class TensorsOfRows {

  private final JsonNode header;
  private final ByteBuffer values;

  /** Reads a file of safetensors. */
  public TensorsOfRows(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = Math.toIntExact(all.getLong());
    this.header = JsonMapper.builder().build().readTree(bytes, Long.BYTES, length);
    this.values = all.position(Long.BYTES + length).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  public JsonNode header() {
    return header;
  }

  public int rows() {
    return header.at("/id/shape/0").asInt();
  }

  /** Returns a row's value of a column of 64-bit integers. */
  public long integer(String column, int row) {
    return values.getLong(place(column) + row * Long.BYTES);
  }

  /** Returns a row's values. */
  public float[] row(int row) {
    float[] floats = new float[header.at("/values/shape/1").asInt()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values.getFloat(place("values") + (row * floats.length + i) * Float.BYTES);
    }
    return floats;
  }

  private int place(String column) {
    return header.at("/" + column + "/data_offsets/0").asInt();
  }

  /** Returns the bytes behind the header. */
  public int bytes() {
    return values.capacity();
  }
}
