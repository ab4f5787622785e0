package dev.millrace.exchange.rows;

import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is saved of the pushes that a shard holds, of one key group.
 *
 * @param tables names of the job's tables, in the order of their numbers
 * @param parts of the pushes
 */
record SavedPushes(List<String> tables, List<HeldPush> parts) {

  private static final int VERSION = 1;

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeInt(tables.size());
      for (String table : tables) {
        out.writeUTF(table);
      }
      out.writeInt(parts.size());
      for (HeldPush part : parts) {
        part.write(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Bytes can't be written into memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #bytes} gave.
   *
   * @throws DamagedRowException if it can't be read
   */
  static SavedPushes read(byte[] saved) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved));
      WireFormat.readVersion(in, VERSION, SavedPushes.class);
      List<String> tables = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        tables.add(in.readUTF());
      }
      List<HeldPush> parts = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        HeldPush part = HeldPush.read(in);
        if (part.push().ends().length != tables.size()) {
          throw new IOException(
              "a push is of %s tables, and there are %s"
                  .formatted(part.push().ends().length, tables.size()));
        }
        parts.add(part);
      }
      return new SavedPushes(List.copyOf(tables), parts);
    } catch (IOException e) {
      throw new DamagedRowException(
          "Gradients that wait for the end of their round can't be read: " + e.getMessage(), e);
    }
  }

  /** Returns how many uses of each table are held. */
  Map<String, Long> uses() {
    Map<String, Long> uses = new HashMap<>();
    for (HeldPush part : parts) {
      int at = 0;
      for (int table = 0; table < tables.size(); table++) {
        long sum = 0;
        for (; at < part.push().ends()[table]; at++) {
          sum += part.push().uses()[at];
        }
        uses.merge(tables.get(table), sum, Long::sum);
      }
    }
    return uses;
  }
}
