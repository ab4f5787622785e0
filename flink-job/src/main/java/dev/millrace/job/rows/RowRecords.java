package dev.millrace.job.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.exchange.rows.InitialRow;
import dev.millrace.exchange.rows.RowTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/**
 * What rows look like in a topic, and in copies.
 *
 * <p>A row's key is the name of its table, a byte {@code 0xff}, which UTF-8 never has, and the id,
 * 8 bytes, the highest first. Its value has a float of 4 bytes for each value, the lowest byte
 * first. A record without a value says that there is no such row any more.
 *
 * <p>The key that ends with {@code 0xff} is that of the table itself. Its value is JSON, with what
 * an id without a row reads as.
 */
public final class RowRecords {

  private static final int VERSION = 1;
  private static final byte END = (byte) 0xff;
  private static final ObjectMapper JSON = new ObjectMapper();

  private RowRecords() {}

  /** Returns what keys of a table begin with, which is the key of the table. */
  public static byte[] key(String table) {
    byte[] name = table.getBytes(UTF_8);
    byte[] key = Arrays.copyOf(name, name.length + 1);
    key[name.length] = END;
    return key;
  }

  /** Returns the key of a row. */
  public static byte[] key(byte[] table, long id) {
    byte[] key = Arrays.copyOf(table, table.length + Long.BYTES);
    ByteBuffer.wrap(key, table.length, Long.BYTES).putLong(id);
    return key;
  }

  /** Whether a key may be a row's or a table's. */
  static boolean isKey(byte[] key) {
    int ofRow = key.length - Long.BYTES - 1;
    return (ofRow > 0 && key[ofRow] == END) || (key.length > 1 && key[key.length - 1] == END);
  }

  /** Returns the value of a row. */
  static byte[] value(float[] values) {
    byte[] bytes = new byte[values.length * Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
    return bytes;
  }

  /**
   * Reads a row's values into an array, from {@code at} on.
   *
   * @return false if it hasn't as many values
   */
  static boolean read(byte[] value, float[] values, int at, int dimension) {
    if (value.length != dimension * Float.BYTES) {
      return false;
    }
    ByteBuffer.wrap(value)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(values, at, dimension);
    return true;
  }

  /** Returns the value of a table's own record. */
  public static byte[] describe(RowTable table) {
    return JSON.createObjectNode()
        .put("format", VERSION)
        .put("dimension", table.dimension())
        .put("initial", table.initial().shape().name().toLowerCase(Locale.ROOT))
        .put("spread", table.initial().spread())
        .put("seed", table.initial().seed())
        .toString()
        .getBytes(UTF_8);
  }

  /**
   * Reads a table's own record: dimension and initial values.
   *
   * @throws IOException if the value says nothing of it
   */
  public static RowTable table(String name, byte[] value) throws IOException {
    try {
      JsonNode table = JSON.readTree(value);
      int version = table.path("format").asInt();
      if (version != VERSION) {
        throw new IOException(
            "rows have the format %s, and this release reads %s".formatted(version, VERSION));
      }
      InitialRow initial =
          new InitialRow(
              InitialRow.Shape.valueOf(table.path("initial").asText().toUpperCase(Locale.ROOT)),
              (float) table.path("spread").asDouble(),
              table.path("seed").asLong());
      return RowTable.of(name, table.path("dimension").asInt()).with(initial);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException("its record is damaged: " + e.getMessage(), e);
    }
  }
}
