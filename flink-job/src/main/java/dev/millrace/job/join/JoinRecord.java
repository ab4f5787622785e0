package dev.millrace.job.join;

import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.record.RawRecord;
import dev.millrace.model.Partition;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;

/**
 * A record of one of the two sides: its bytes, and what it is joined by; or what is wrong with it.
 *
 * @param jsonOrNull the features as a JSON object where their bytes are none; null of labels, and
 *     where something is wrong
 * @param key one character for each byte of the key; empty where something is wrong
 * @param time of the event, milliseconds since the epoch; meaningless where something is wrong
 * @param label the label as JSON; null of features, and where something is wrong
 * @param problem why it can't be joined; null where it can
 */
public record JoinRecord(
    Side side,
    RawRecord raw,
    byte[] jsonOrNull,
    String key,
    long time,
    String label,
    String problem) {

  public static final WireFormat<JoinRecord> WIRE = new RecordWire();

  public JoinRecord {
    Objects.requireNonNull(side, "side");
    Objects.requireNonNull(raw, "raw");
    Objects.requireNonNull(key, "key");
  }

  /**
   * One of the features.
   *
   * @param json the object that the record is, or stands for
   */
  static JoinRecord features(RawRecord raw, byte[] json, String key, long time) {
    return new JoinRecord(
        Side.FEATURES, raw, json == raw.value() ? null : json, key, time, null, null);
  }

  static JoinRecord label(RawRecord raw, String key, long time, String label) {
    return new JoinRecord(Side.LABEL, raw, null, key, time, label, null);
  }

  /** One that can't be joined. */
  static JoinRecord unusable(Side side, RawRecord raw, String problem) {
    return new JoinRecord(side, raw, null, "", 0, null, problem);
  }

  boolean isUsable() {
    return problem == null;
  }

  /** Returns the features as a JSON object. */
  byte[] json() {
    return jsonOrNull == null ? raw.value() : jsonOrNull;
  }

  /** Returns the record as a record of a side topic. */
  RejectedRecord rejected(String reason) {
    return raw.rejected(reason);
  }

  private static final class RecordWire implements WireFormat<JoinRecord>, Serializable {

    private static final int VERSION = 1;
    private static final int NONE = -1;

    @Override
    public void write(JoinRecord record, DataOutput out) throws IOException {
      RawRecord raw = record.raw;
      out.writeByte(VERSION);
      out.writeByte(record.side == Side.FEATURES ? 'F' : 'L');
      raw.partition().write(out);
      out.writeLong(raw.offset());
      out.writeLong(raw.timestamp());
      writeBytes(raw.key(), out);
      writeBytes(raw.value(), out);
      writeBytes(record.jsonOrNull, out);
      writeText(record.key, out);
      out.writeLong(record.time);
      writeText(record.label, out);
      writeText(record.problem, out);
    }

    @Override
    public JoinRecord read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, JoinRecord.class);
      Side side = in.readByte() == 'F' ? Side.FEATURES : Side.LABEL;
      RawRecord raw =
          new RawRecord(
              Partition.read(in), in.readLong(), in.readLong(), readBytes(in), readBytes(in));
      return new JoinRecord(
          side, raw, readBytes(in), readText(in), in.readLong(), readText(in), readText(in));
    }

    private static void writeBytes(byte[] bytes, DataOutput out) throws IOException {
      out.writeInt(bytes == null ? NONE : bytes.length);
      if (bytes != null) {
        out.write(bytes);
      }
    }

    private static byte[] readBytes(DataInput in) throws IOException {
      int length = in.readInt();
      if (length == NONE) {
        return null;
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      return bytes;
    }

    private static void writeText(String text, DataOutput out) throws IOException {
      writeBytes(text == null ? null : JoinKey.utf8(text), out);
    }

    private static String readText(DataInput in) throws IOException {
      byte[] bytes = readBytes(in);
      return bytes == null ? null : JoinKey.text(bytes);
    }
  }
}
