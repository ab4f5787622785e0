package dev.millrace.exchange.segment;

import dev.millrace.model.IdLists;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/**
 * An example that the model never learns from.
 *
 * @param segment that it belongs to
 * @param priority those with the least are kept
 * @param features as they came: neither standardized nor completed
 * @param words null for a missing one
 * @param ids one row, which never changes
 * @param steps of a sequence; 0 where examples are none
 */
@SuppressWarnings("ArrayRecordComponent") // It is handed on, never compared.
public record HeldOutExample(
    long segment,
    long priority,
    float[] features,
    float[] labels,
    String[] words,
    IdLists ids,
    int steps) {

  public static final WireFormat<HeldOutExample> WIRE = new ExampleWire();

  private static final class ExampleWire implements WireFormat<HeldOutExample>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(HeldOutExample example, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(example.segment);
      out.writeLong(example.priority);
      BulkArrays.writeFloats(out, example.features);
      BulkArrays.writeFloats(out, example.labels);
      out.writeInt(example.words.length);
      for (String word : example.words) {
        out.writeBoolean(word != null);
        if (word != null) {
          BulkArrays.writeBytes(out, word.getBytes(StandardCharsets.UTF_8));
        }
      }
      example.ids.write(out, example.ids.rows());
      out.writeInt(example.steps);
    }

    @Override
    public HeldOutExample read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, HeldOutExample.class);
      long segment = in.readLong();
      long priority = in.readLong();
      float[] features = BulkArrays.readFloats(in);
      float[] labels = BulkArrays.readFloats(in);
      String[] words = new String[in.readInt()];
      for (int i = 0; i < words.length; i++) {
        words[i] =
            in.readBoolean() ? new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8) : null;
      }
      return new HeldOutExample(
          segment, priority, features, labels, words, IdLists.read(in), in.readInt());
    }
  }
}
