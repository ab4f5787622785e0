package dev.millrace.exchange.rows;

import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Holds what a table keeps of a key group beside its rows: counts, clock, and the sketch of ids
 * that wait for a row. It is saved with the rows. Belongs to one thread.
 */
final class GroupState {

  private static final int VERSION = 1;

  long rows;
  long created;
  long expired;
  long usesWithoutRow;
  long usesExpired;
  long waiting;
  long refused;

  /** The shard's clock when this was saved. */
  long clock;

  /** Whether all rows were told of since they changed. */
  boolean told;

  /** Whether there is something to save. */
  boolean changed;

  private CountingSketch sketch;

  GroupState(long clock) {
    this.clock = clock;
  }

  /** The sketch; made if there is none. One that was saved keeps its size. */
  CountingSketch sketch(int cells) {
    if (sketch == null) {
      sketch = new CountingSketch(cells);
    }
    return sketch;
  }

  /** Forgets the sketch, if there is one. */
  void dropSketch() {
    sketch = null;
  }

  RowCounts counts() {
    return new RowCounts(
        rows, created, expired, usesWithoutRow, usesExpired, waiting, refused, 0, 0, 0);
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeLong(rows);
      out.writeLong(created);
      out.writeLong(expired);
      out.writeLong(usesWithoutRow);
      out.writeLong(usesExpired);
      out.writeLong(waiting);
      out.writeLong(refused);
      out.writeLong(clock);
      out.writeBoolean(told);
      out.writeBoolean(sketch != null);
      if (sketch != null) {
        sketch.write(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Reads what {@link #toBytes} made. */
  static GroupState read(RowTable table, int group, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      WireFormat.readVersion(in, VERSION, GroupState.class);
      GroupState state = new GroupState(0);
      state.rows = in.readLong();
      state.created = in.readLong();
      state.expired = in.readLong();
      state.usesWithoutRow = in.readLong();
      state.usesExpired = in.readLong();
      state.waiting = in.readLong();
      state.refused = in.readLong();
      state.clock = in.readLong();
      state.told = in.readBoolean();
      state.sketch = in.readBoolean() ? CountingSketch.read(in) : null;
      if (in.read() >= 0) {
        throw new IOException("there are more bytes than it has");
      }
      return state;
    } catch (IOException e) {
      throw new DamagedRowException(
          "Key group %s of table '%s' can't be read from its %s bytes: %s"
              .formatted(group, table.name(), bytes.length, e.getMessage()),
          e);
    }
  }
}
