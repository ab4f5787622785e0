package dev.millrace.exchange.layer;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How numbers are distributed. Those that are not finite are left out.
 *
 * @param count of numbers; 0 for {@link #NONE}, whose other values mean nothing
 * @param deviation the standard deviation, of a sample: with {@code count - 1}
 * @param magnitude mean of their absolute values
 * @param low the least
 * @param high the greatest
 * @param bins how many numbers are in each of {@value #BINS} bins of equal width from {@code low}
 *     to {@code high}
 */
public record Distribution(
    long count,
    double mean,
    double deviation,
    double magnitude,
    float low,
    float high,
    List<Integer> bins)
    implements Serializable {

  public static final int BINS = 20;

  /** The distribution of no number. */
  public static final Distribution NONE = new Distribution(0, 0, 0, 0, 0, 0, List.of());

  /** Describes the first {@code length} values. Passes over them twice. */
  public static Distribution of(float[] values, int length) {
    long count = 0;
    double sum = 0;
    double magnitudes = 0;
    float low = Float.POSITIVE_INFINITY;
    float high = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < length; i++) {
      float value = values[i];
      if (Float.isFinite(value)) {
        count++;
        sum += value;
        magnitudes += Math.abs(value);
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    if (count == 0) {
      return NONE;
    }
    double mean = sum / count;
    double width = ((double) high - low) / BINS;
    double squares = 0;
    int[] bins = new int[BINS];
    for (int i = 0; i < length; i++) {
      float value = values[i];
      if (Float.isFinite(value)) {
        squares += (value - mean) * (value - mean);
        bins[width > 0 ? Math.min(BINS - 1, (int) ((value - (double) low) / width)) : 0]++;
      }
    }
    return new Distribution(
        count,
        mean,
        count > 1 ? Math.sqrt(squares / (count - 1)) : 0,
        magnitudes / count,
        low,
        high,
        listOf(bins));
  }

  private static List<Integer> listOf(int[] bins) {
    List<Integer> list = new ArrayList<>(bins.length);
    for (int bin : bins) {
      list.add(bin);
    }
    return List.copyOf(list);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(count);
    out.writeDouble(mean);
    out.writeDouble(deviation);
    out.writeDouble(magnitude);
    out.writeFloat(low);
    out.writeFloat(high);
    for (int bin : bins) {
      out.writeInt(bin);
    }
  }

  static Distribution read(DataInput in) throws IOException {
    long count = in.readLong();
    double mean = in.readDouble();
    double deviation = in.readDouble();
    double magnitude = in.readDouble();
    float low = in.readFloat();
    float high = in.readFloat();
    int[] bins = new int[count == 0 ? 0 : BINS];
    for (int i = 0; i < bins.length; i++) {
      bins[i] = in.readInt();
    }
    return new Distribution(count, mean, deviation, magnitude, low, high, listOf(bins));
  }
}
