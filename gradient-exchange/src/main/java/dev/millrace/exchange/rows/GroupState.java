package dev.millrace.exchange.rows;

import dev.millrace.exchange.minibatch.RecordClock;
import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Holds what a table keeps of a key group beside its rows: counts, clock, and the sketch of ids
 * that wait for a row. It is saved with the rows, and says what they look like: so they can be read
 * without their job, and a job whose table is another is refused before it reads one. Belongs to
 * one thread.
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
  RecordClock clock;

  /** The listener that knows all rows, see {@link RowChanges#listener}. */
  long listener;

  /** Which sheets there are of rows that lie on the heap. */
  final GroupJournal journal = new GroupJournal();

  /** Whether there is something to save. */
  boolean changed;

  private CountingSketch sketch;

  GroupState(RecordClock clock) {
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

  byte[] toBytes(RowTable table) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(table.name());
      out.writeInt(table.dimension());
      out.writeUTF(table.updater().name());
      out.writeLong(rows);
      out.writeLong(created);
      out.writeLong(expired);
      out.writeLong(usesWithoutRow);
      out.writeLong(usesExpired);
      out.writeLong(waiting);
      out.writeLong(refused);
      clock.write(out);
      out.writeLong(listener);
      journal.write(out);
      out.writeBoolean(sketch != null);
      if (sketch != null) {
        sketch.write(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} made.
   *
   * @throws DamagedRowException if it can't be read, or is of rows that look otherwise
   */
  static GroupState read(RowTable table, int group, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      WireFormat.readVersion(in, VERSION, GroupState.class);
      requireName(table, in.readUTF());
      int dimension = in.readInt();
      String updater = in.readUTF();
      if (dimension != table.dimension() || !updater.equals(table.updater().name())) {
        throw otherRows(table, dimension, updater);
      }
      GroupState state = readCounts(in);
      state.sketch = in.readBoolean() ? CountingSketch.read(in) : null;
      if (in.read() >= 0) {
        throw new IOException("there are more bytes than it has");
      }
      return state;
    } catch (IOException e) {
      throw unreadable("Key group %s of table '%s'".formatted(group, table.name()), bytes, e);
    }
  }

  private static GroupState readCounts(DataInputStream in) throws IOException {
    GroupState state = new GroupState(RecordClock.UNKNOWN);
    state.rows = in.readLong();
    state.created = in.readLong();
    state.expired = in.readLong();
    state.usesWithoutRow = in.readLong();
    state.usesExpired = in.readLong();
    state.waiting = in.readLong();
    state.refused = in.readLong();
    state.clock = RecordClock.read(in);
    state.listener = in.readLong();
    state.journal.read(in);
    return state;
  }

  /**
   * Reads what there is of a table that nothing else is known of. The sketch is passed over.
   *
   * @throws DamagedRowException if it can't be read
   */
  static SavedTable readTable(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      WireFormat.readVersion(in, VERSION, GroupState.class);
      String table = in.readUTF();
      int dimension = in.readInt();
      String updater = in.readUTF();
      return new SavedTable(table, dimension, updater, readCounts(in).counts());
    } catch (IOException e) {
      throw unreadable("A key group of a table", bytes, e);
    }
  }

  private static void requireName(RowTable table, String saved) {
    if (!saved.equals(table.name())) {
      throw new DamagedRowException(
          "What is there of table '%s' was saved for '%s': give the table another name"
              .formatted(table.name(), saved));
    }
  }

  private static DamagedRowException otherRows(RowTable table, int dimension, String updater) {
    return new DamagedRowException(
        ("Table '%s' was saved with rows of %s values and the updater %s, and this job has it with"
                + " %s values and the updater %s: give it what it was saved with, or another name,"
                + " under which it begins anew")
            .formatted(
                table.name(), dimension, updater, table.dimension(), table.updater().name()));
  }

  private static DamagedRowException unreadable(String what, byte[] bytes, IOException cause) {
    return new DamagedRowException(
        "%s can't be read from its %s bytes: %s".formatted(what, bytes.length, cause.getMessage()),
        cause);
  }
}
