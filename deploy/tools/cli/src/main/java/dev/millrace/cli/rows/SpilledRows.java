package dev.millrace.cli.rows;

import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.exchange.rows.SavedTable;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a savepoint in temporary files, by a hash of their ids: two savepoints have a row in the
 * same part, so they can be compared part by part, in memory.
 */
final class SpilledRows {

  /** Takes rows one by one. */
  @FunctionalInterface
  interface Consumer {

    /**
     * Takes a row.
     *
     * @param table its number
     * @param values the row's own
     */
    void accept(int table, long id, float[] values);
  }

  /** 50 million rows make parts of 200,000. */
  static final int PARTS = 256;

  private static final int BUFFER = 1 << 14;
  private static final int BITS = 8;

  /** 2^64 divided by the golden ratio, odd. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final List<SavedTable> tables;
  private final List<Path> files = new ArrayList<>();

  private SpilledRows(List<SavedTable> tables) {
    this.tables = tables;
  }

  /**
   * Writes all rows.
   *
   * @param directory is the caller's to delete
   * @param name begins the files' names
   */
  static SpilledRows of(StoredTables stored, Path directory, String name, ReadingProgress progress)
      throws IOException {
    SpilledRows spilled = new SpilledRows(stored.tables());
    List<DataOutputStream> parts = new ArrayList<>();
    try {
      for (int part = 0; part < PARTS; part++) {
        Path file = directory.resolve(name + part);
        spilled.files.add(file);
        parts.add(
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER)));
      }
      stored.forEach(
          (table, row) -> {
            DataOutputStream out = parts.get((int) ((row.id() * GOLDEN) >>> (Long.SIZE - BITS)));
            out.writeInt(table);
            out.writeLong(row.id());
            for (int i = 0; i < row.table().dimension(); i++) {
              out.writeFloat(row.floats()[i]);
            }
          },
          progress);
    } finally {
      for (DataOutputStream part : parts) {
        part.close();
      }
    }
    return spilled;
  }

  /** Hands out the rows of a part. */
  void forEach(int part, Consumer consumer) throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(Files.newInputStream(files.get(part)), BUFFER))) {
      while (true) {
        int table;
        try {
          table = in.readInt();
        } catch (EOFException e) {
          return;
        }
        long id = in.readLong();
        float[] values = new float[tables.get(table).dimension()];
        for (int i = 0; i < values.length; i++) {
          values[i] = in.readFloat();
        }
        consumer.accept(table, id, values);
      }
    }
  }
}
