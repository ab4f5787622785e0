package dev.millrace.exchange.steering;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * How far predictions before learning were off, of one example after another, in the order in which
 * they were learned. Where an example is right or wrong it takes a bit, otherwise a float.
 *
 * <p>Not thread-safe.
 */
public final class ErrorTrace implements Serializable {

  public static final WireFormat<ErrorTrace> WIRE = new TraceWire();

  private final boolean ofBits;
  private int size;
  private long[] bits = {};
  private float[] values = {};

  /** Begins with no example; {@code ofBits} where each will be right or wrong. */
  public ErrorTrace(boolean ofBits) {
    this.ofBits = ofBits;
  }

  /** The next example's error: 0 or 1 where examples are right or wrong. */
  public void add(float error) {
    reserve(size + 1);
    set(size++, error);
  }

  /** All of another's examples follow. */
  public void addAll(ErrorTrace other) {
    reserve(size + other.size);
    for (int i = 0; i < other.size; i++) {
      set(size++, (float) other.get(i));
    }
  }

  private void set(int i, float error) {
    if (!ofBits) {
      values[i] = error;
    } else if (error != 0) {
      bits[i >> 6] |= 1L << i;
    }
  }

  private void reserve(int examples) {
    if (ofBits && words(examples) > bits.length) {
      bits = Arrays.copyOf(bits, Math.max(words(examples), 2 * bits.length));
    } else if (!ofBits && examples > values.length) {
      values = Arrays.copyOf(values, Math.max(examples, 2 * values.length));
    }
  }

  private static int words(int examples) {
    return (examples + 63) >> 6;
  }

  public int size() {
    return size;
  }

  /** The error of an example, counted from 0. */
  public double get(int example) {
    return ofBits ? (bits[example >> 6] >>> example) & 1 : values[example];
  }

  /** Whether each example is right or wrong. */
  public boolean isOfBits() {
    return ofBits;
  }

  private static final class TraceWire implements WireFormat<ErrorTrace>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(ErrorTrace trace, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeBoolean(trace.ofBits);
      out.writeInt(trace.size);
      if (trace.ofBits) {
        for (int word = 0; word < words(trace.size); word++) {
          out.writeLong(trace.bits[word]);
        }
      } else {
        BulkArrays.writeFloats(out, Arrays.copyOf(trace.values, trace.size));
      }
    }

    @Override
    public ErrorTrace read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ErrorTrace.class);
      ErrorTrace trace = new ErrorTrace(in.readBoolean());
      trace.size = in.readInt();
      if (trace.ofBits) {
        trace.bits = new long[words(trace.size)];
        for (int word = 0; word < trace.bits.length; word++) {
          trace.bits[word] = in.readLong();
        }
      } else {
        trace.values = BulkArrays.readFloats(in);
      }
      return trace;
    }
  }
}
