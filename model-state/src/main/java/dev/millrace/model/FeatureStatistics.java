package dev.millrace.model;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Running mean and variance of every feature, over the examples added so far, and the clip of the
 * standardization that they define. Statistics of disjoint examples merge by the pairwise update of
 * Chan, Golub and LeVeque (1979), which stays accurate where sums of squares cancel.
 *
 * <p>Not thread-safe.
 */
public final class FeatureStatistics implements Serializable {

  public static final WireFormat<FeatureStatistics> WIRE = new StatisticsWire();

  /** A narrower clip of features would make deviations too small, and so itself narrower still. */
  private static final double LEAST_BOUND = 10;

  /** By how much of itself a single example may raise a variance, once there are enough others. */
  private static final double MOST_INFLUENCE = 0.01;

  /** A normal distribution's deviation, in median distances from its median. */
  private static final double NORMAL = 1.4826;

  private long count;
  private final double[] mean;

  /** Per feature, the sum of squared differences from the mean. */
  private final double[] squares;

  private double clip = Double.POSITIVE_INFINITY;

  /** Of no example, without a clip. */
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

  /** How many deviations a standardized feature may be away from 0; infinite for any. */
  public double clip() {
    return clip;
  }

  /**
   * Sets {@link #clip()}.
   *
   * @param deviations above 0; infinite for none
   */
  public void setClip(double deviations) {
    if (!(deviations > 0)) {
      throw new IllegalArgumentException(
          "Standardized features can't be clipped at %s deviations".formatted(deviations));
    }
    clip = deviations;
  }

  public boolean clips() {
    return clip < Double.POSITIVE_INFINITY;
  }

  /** Adds the first {@code rows} rows of a row-major matrix, as they are. */
  public void add(float[] features, int rows) {
    double[] low = new double[mean.length];
    double[] high = new double[mean.length];
    Arrays.fill(low, Double.NEGATIVE_INFINITY);
    Arrays.fill(high, Double.POSITIVE_INFINITY);
    merge(of(features, rows, low, high));
  }

  /**
   * Statistics of the first {@code rows} rows of a row-major matrix, for these to be merged with.
   * Where these clip, a value counts as one that is no further away from what is known here than
   * {@link #mostDeviations}. So no single value makes all others look the same.
   *
   * <p>A feature that hasn't varied so far has no scale yet. Its values are compared with one
   * another, by their median and the median distance from it. Where more than half are the same,
   * that tells nothing: all count as they are.
   */
  public FeatureStatistics look(float[] features, int rows) {
    double[] low = new double[mean.length];
    double[] high = new double[mean.length];
    double most = clips() ? mostDeviations() : Double.POSITIVE_INFINITY;
    for (int i = 0; i < mean.length; i++) {
      double deviation = deviation(i);
      double centre = mean[i];
      if (clips() && !(deviation > 0) && varies(features, rows, i)) {
        double[] column = column(features, rows, i);
        centre = median(column);
        deviation = NORMAL * medianDistance(column, centre);
      }
      double distance = deviation > 0 ? most * deviation : Double.POSITIVE_INFINITY;
      low[i] = centre - distance;
      high[i] = centre + distance;
    }
    return of(features, rows, low, high);
  }

  /** Most features without a scale are constant: those cost no more than this look. */
  private boolean varies(float[] features, int rows, int feature) {
    for (int row = 1; row < rows; row++) {
      if (features[row * mean.length + feature] != features[feature]) {
        return true;
      }
    }
    return false;
  }

  private double[] column(float[] features, int rows, int feature) {
    double[] column = new double[rows];
    for (int row = 0; row < rows; row++) {
      column[row] = features[row * mean.length + feature];
    }
    return column;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values.length == 0 ? 0 : values[values.length / 2];
  }

  private static double medianDistance(double[] values, double centre) {
    return median(Arrays.stream(values).map(value -> Math.abs(value - centre)).toArray());
  }

  /**
   * Ten, or the clip, at first. Later the root of a hundredth of the examples, so that each of them
   * may raise a variance by a hundredth: what is rare comes to count in full, and a change of scale
   * is followed in as many examples, however many there were before.
   */
  private double mostDeviations() {
    return Math.max(Math.max(clip, LEAST_BOUND), Math.sqrt(MOST_INFLUENCE * count));
  }

  private static FeatureStatistics of(float[] features, int rows, double[] low, double[] high) {
    int width = low.length;
    FeatureStatistics seen = new FeatureStatistics(rows, new double[width], new double[width]);
    double[] mean = seen.mean;
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        mean[i] += Math.min(Math.max(features[at + i], low[i]), high[i]);
      }
    }
    for (int i = 0; i < width && rows > 0; i++) {
      mean[i] /= rows;
    }
    for (int row = 0, at = 0; row < rows; row++, at += width) {
      for (int i = 0; i < width; i++) {
        double difference = Math.min(Math.max(features[at + i], low[i]), high[i]) - mean[i];
        seen.squares[i] += difference * difference;
      }
    }
    return seen;
  }

  /** Adds the examples of others; the clip stays. */
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
    FeatureStatistics copy = new FeatureStatistics(count, mean.clone(), squares.clone());
    copy.clip = clip;
    return copy;
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
    return new Standardization(centre, scale, (float) clip);
  }

  private static final class StatisticsWire implements WireFormat<FeatureStatistics>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(FeatureStatistics statistics, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(statistics.count);
      BulkArrays.writeDoubles(out, statistics.mean);
      BulkArrays.writeDoubles(out, statistics.squares);
      out.writeDouble(statistics.clip);
    }

    @Override
    public FeatureStatistics read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, FeatureStatistics.class);
      FeatureStatistics statistics =
          new FeatureStatistics(
              in.readLong(), BulkArrays.readDoubles(in), BulkArrays.readDoubles(in));
      double clip = in.readDouble();
      if (!(clip > 0)) {
        throw new IOException("Features are clipped at %s deviations".formatted(clip));
      }
      statistics.clip = clip;
      return statistics;
    }
  }
}
