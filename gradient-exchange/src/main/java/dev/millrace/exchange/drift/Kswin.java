package dev.millrace.exchange.drift;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Compares the newest 200 of 1,000 numbers with as many drawn from the others, by the test of
 * Kolmogorov and Smirnov: KSWIN (Raab, Heusinger and Schleif 2020, "Reactive soft prototype
 * computing for concept drift streams"). So it sees a change of the distribution whose mean hardly
 * changes. Of errors only a rise is told. The window keeps the newest numbers then.
 *
 * <p>The paper's window of 100 with a sample of 30 tells errors of rate 0.2 and 0.5 apart at no
 * confidence that holds for 100,000 examples. Every 20th number is looked at. What is drawn follows
 * from how many numbers there were.
 */
public final class Kswin implements DriftDetector {

  static final int WINDOW = 1_000;
  static final int SAMPLE = 200;

  private static final int FORMAT = 1;
  private static final int CLOCK = 20;
  private static final long SEED = 0x5DEECE66DL;

  private final double bound;
  private final boolean risesAlone;
  private final float[] window = new float[WINDOW];
  private final float[] drawn = new float[SAMPLE];
  private final float[] newest = new float[SAMPLE];
  private int size;
  private long seen;
  private Means means = Means.UNKNOWN;

  /**
   * A test of no numbers.
   *
   * @param confidence how likely a look may find a rise that is none
   */
  public Kswin(double confidence) {
    this(confidence, true);
  }

  /**
   * A test of no numbers.
   *
   * @param confidence how likely a look may find a change that is none
   * @param risesAlone whether only a change with a greater mean is told
   */
  Kswin(double confidence, boolean risesAlone) {
    this.risesAlone = risesAlone;
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(
          "KSWIN's confidence lies between 0 and 1, not " + confidence);
    }
    // The asymptotic test of two samples of one size.
    this.bound = StrictMath.sqrt(-StrictMath.log(confidence / 2) / SAMPLE);
  }

  @Override
  public boolean add(double value) {
    // A ring: the oldest gives its place.
    window[(int) (seen++ % WINDOW)] = (float) value;
    size = Math.min(WINDOW, size + 1);
    if (size < WINDOW || seen % CLOCK != 0) {
      return false;
    }
    draw();
    double before = mean(drawn);
    double after = mean(newest);
    if ((risesAlone && after <= before) || distance() <= bound) {
      return false;
    }
    means = new Means(before, after);
    // The newest stay: the next look comes when the window is full again.
    keepNewest();
    return true;
  }

  private void draw() {
    SplittableRandom numbers = new SplittableRandom(SEED + seen);
    int left = WINDOW - SAMPLE;
    int needed = SAMPLE;
    for (int age = WINDOW - 1; age >= SAMPLE; age--) {
      if (numbers.nextInt(left--) < needed) {
        drawn[--needed] = at(age);
      }
    }
    for (int age = 0; age < SAMPLE; age++) {
      newest[age] = at(age);
    }
    Arrays.sort(drawn);
    Arrays.sort(newest);
  }

  /** The number that came so many before the newest. */
  private float at(int age) {
    return window[(int) ((seen - 1 - age) % WINDOW)];
  }

  private static double mean(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /** The greatest distance between the distributions of the two, which are sorted. */
  private double distance() {
    int one = 0;
    int other = 0;
    int greatest = 0;
    while (one < SAMPLE && other < SAMPLE) {
      float next = Math.min(drawn[one], newest[other]);
      while (one < SAMPLE && drawn[one] <= next) {
        one++;
      }
      while (other < SAMPLE && newest[other] <= next) {
        other++;
      }
      greatest = Math.max(greatest, Math.abs(one - other));
    }
    return greatest / (double) SAMPLE;
  }

  private void keepNewest() {
    float[] kept = new float[SAMPLE];
    for (int age = 0; age < SAMPLE; age++) {
      kept[SAMPLE - 1 - age] = at(age);
    }
    System.arraycopy(kept, 0, window, 0, SAMPLE);
    seen = SAMPLE;
    size = SAMPLE;
  }

  @Override
  public double before() {
    return means.before();
  }

  @Override
  public double after() {
    return means.after();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeInt(size);
    out.writeLong(seen);
    BulkArrays.writeFloats(out, window);
    means.write(out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, Kswin.class);
    size = in.readInt();
    seen = in.readLong();
    float[] saved = BulkArrays.readFloats(in);
    System.arraycopy(saved, 0, window, 0, WINDOW);
    means = Means.read(in);
  }
}
