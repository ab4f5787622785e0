package dev.millrace.cli.rows;

import dev.millrace.exchange.rows.SavedRow;
import dev.millrace.exchange.rows.SavedTable;
import dev.millrace.snapshot.SafetensorsHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows of a table as a file of the format safetensors: {@code id}, {@code uses} and {@code
 * last_use}, 64-bit integers, and {@code values}, a row of floats for each. Memory holds a buffer
 * for each of them, however many rows there are.
 */
final class RowTensors implements AutoCloseable {

  private final SavedTable table;
  private final FileChannel file;
  private final TensorColumn ids;
  private final TensorColumn uses;
  private final TensorColumn lastUses;
  private final TensorColumn values;

  /**
   * Begins a file.
   *
   * @param table says how many rows there will be
   * @param facts of the model that the rows belong to
   */
  RowTensors(SavedTable table, Map<String, String> facts, Path path) throws IOException {
    this.table = table;
    long rows = table.counts().rows();
    Map<String, String> all = new TreeMap<>(facts);
    all.put("table", table.name());
    all.put("updater", table.updater());
    SafetensorsHeader header = new SafetensorsHeader(all);
    int width = table.dimension() * Float.BYTES;
    long id = header.add("id", "I64", List.of(rows), rows * Long.BYTES);
    long use = header.add("uses", "I64", List.of(rows), rows * Long.BYTES);
    long last = header.add("last_use", "I64", List.of(rows), rows * Long.BYTES);
    long value = header.add("values", "F32", List.of(rows, (long) table.dimension()), rows * width);
    byte[] bytes = header.toBytes();
    this.file = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    this.ids = new TensorColumn(file, bytes.length + id, Long.BYTES);
    this.uses = new TensorColumn(file, bytes.length + use, Long.BYTES);
    this.lastUses = new TensorColumn(file, bytes.length + last, Long.BYTES);
    this.values = new TensorColumn(file, bytes.length + value, width);
    ByteBuffer head = ByteBuffer.wrap(bytes);
    while (head.hasRemaining()) {
      file.write(head);
    }
  }

  void add(SavedRow row) throws IOException {
    ids.add(row.id());
    uses.add(row.uses());
    lastUses.add(row.lastUse());
    values.add(row.floats(), table.dimension());
  }

  /** Writes what is left. All rows were added. */
  void finish() throws IOException {
    for (TensorColumn column : List.of(ids, uses, lastUses, values)) {
      column.flush();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
