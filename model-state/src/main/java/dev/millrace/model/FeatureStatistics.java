package dev.millrace.model;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * Running mean and variance of every feature, over the examples added so far. Statistics of
 * disjoint examples merge by the pairwise update of Chan, Golub and LeVeque (1979), which stays
 * accurate where sums of squares cancel.
 *
 * <p>Not thread-safe.
 */
public final class FeatureStatistics implements Serializable {

  public static final WireFormat<FeatureStatistics> WIRE = new StatisticsWire();

  private long count;
  private final double[] mean;

  /** Per feature, the sum of squared differences from the mean. */
  private final double[] squares;

  public FeatureStatistics(int features) {
    this(0, new double[features], new double[features]);
  }

  private FeatureStatistics(long count, double[] mean, double[] squares) {
    this.count = count;
    this.mean = mean;
    this.squares = squares;
  }

  /**
   * Statistics as known from elsewhere, such as an archive's normalizer: they weigh {@code count}
   * examples.
   */
  public static FeatureStatistics of(long count, double[] mean, double[] deviation) {
    double[] squares = new double[mean.length];
    for (int i = 0; i < mean.length; i++) {
      squares[i] = deviation[i] * deviation[i] * count;
    }
    return new FeatureStatistics(count, mean.clone(), squares);
  }

  /**
   * Checks that a job which keeps these can continue from a checkpoint's: they are of no features
   * where features aren't standardized.
   *
   * @throws InvalidModelException if only one of the two standardizes
   */
  public void checkAgainst(FeatureStatistics saved) {
    boolean standardized = saved.features() > 0;
    if (standardized != features() > 0) {
      throw new InvalidModelException(
          ("The checkpoint was made with standardization of features %s, and this job has it %s;"
                  + " submit with it %s")
              .formatted(onOff(standardized), onOff(!standardized), onOff(standardized)));
    }
  }

  private static String onOff(boolean on) {
    return on ? "on" : "off";
  }

  /** Adds the first {@code rows} rows of a row-major matrix. */
  public void add(float[] features, int rows) {
    if (rows == 0) {
      return;
    }
    int width = mean.length;
    double[] rowMean = new double[width];
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        rowMean[i] += features[at + i];
      }
    }
    for (int i = 0; i < width; i++) {
      rowMean[i] /= rows;
    }
    double[] rowSquares = new double[width];
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        double difference = features[at + i] - rowMean[i];
        rowSquares[i] += difference * difference;
      }
    }
    merge(new FeatureStatistics(rows, rowMean, rowSquares));
  }

  public void merge(FeatureStatistics other) {
    if (other.count == 0) {
      return;
    }
    double total = (double) count + other.count;
    double share = other.count / total;
    for (int i = 0; i < mean.length; i++) {
      double difference = other.mean[i] - mean[i];
      mean[i] += difference * share;
      squares[i] += other.squares[i] + difference * difference * count * share;
    }
    count += other.count;
  }

  public FeatureStatistics copy() {
    return new FeatureStatistics(count, mean.clone(), squares.clone());
  }

  public long count() {
    return count;
  }

  public int features() {
    return mean.length;
  }

  public double mean(int feature) {
    return mean[feature];
  }

  /** Population standard deviation; 0 where nothing varies. */
  public double deviation(int feature) {
    return count == 0 ? 0 : Math.sqrt(squares[feature] / count);
  }

  /**
   * How far other examples lie from these: the greatest distance between means, and the greatest
   * deviation of theirs, of any feature, in deviations of these. Features that don't vary here are
   * left aside; 0 where there is nothing to compare.
   */
  public double distance(FeatureStatistics others) {
    int farthest = farthest(others);
    return farthest < 0 ? 0 : distance(others, farthest);
  }

  /** The feature that {@link #distance(FeatureStatistics)} is of; negative if there are none. */
  public int farthest(FeatureStatistics others) {
    int farthest = -1;
    double greatest = -1;
    for (int i = 0; i < mean.length; i++) {
      double distance = distance(others, i);
      // NaN is greater than all numbers here.
      if (Double.compare(distance, greatest) > 0) {
        greatest = distance;
        farthest = i;
      }
    }
    return farthest;
  }

  private double distance(FeatureStatistics others, int feature) {
    double deviation = deviation(feature);
    if (others.count == 0 || !(deviation > 0)) {
      return 0;
    }
    double shift = Math.abs(others.mean[feature] - mean[feature]);
    return Math.max(shift, others.deviation(feature)) / deviation;
  }

  /** The standardization that these statistics define now; later additions don't change it. */
  public Standardization standardization() {
    float[] centre = new float[mean.length];
    float[] scale = new float[mean.length];
    for (int i = 0; i < mean.length; i++) {
      float deviation = (float) deviation(i);
      centre[i] = (float) mean[i];
      scale[i] = deviation > 0 ? deviation : 1;
    }
    return new Standardization(centre, scale);
  }

  private static final class StatisticsWire implements WireFormat<FeatureStatistics>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(FeatureStatistics statistics, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(statistics.count);
      BulkArrays.writeDoubles(out, statistics.mean);
      BulkArrays.writeDoubles(out, statistics.squares);
    }

    @Override
    public FeatureStatistics read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, FeatureStatistics.class);
      return new FeatureStatistics(
          in.readLong(), BulkArrays.readDoubles(in), BulkArrays.readDoubles(in));
    }
  }
}
