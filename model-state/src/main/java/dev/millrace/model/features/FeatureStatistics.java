package dev.millrace.model.features;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * Running mean and variance of every feature, over the examples added so far, and the clip of the
 * standardization that they define. Statistics of disjoint examples merge by the pairwise update of
 * Chan, Golub and LeVeque (1979), which stays accurate where sums of squares cancel. A missing
 * value, NaN, doesn't count: each feature has a mean of those that it had.
 *
 * <p>Not thread-safe.
 */
public final class FeatureStatistics implements Serializable {

  public static final WireFormat<FeatureStatistics> WIRE = new StatisticsWire();

  /** A narrower clip of features would make deviations too small, and so itself narrower still. */
  private static final double LEAST_BOUND = 10;

  /**
   * The share of itself by which a single example may raise a variance, once there are enough
   * others.
   */
  private static final double MOST_INFLUENCE = 0.01;

  private long count;

  /**
   * Holds how many values there were of each feature; null where none was ever missing: {@link
   * #count}.
   */
  private long[] presentOrNull;

  private final double[] mean;

  /** The sum of squared differences from the mean, of each feature. */
  private final double[] squares;

  private double clip = Double.POSITIVE_INFINITY;

  /** Begins with no example, without a clip. */
  public FeatureStatistics(int features) {
    this(0, new double[features], new double[features]);
  }

  FeatureStatistics(long count, double[] mean, double[] squares) {
    this.count = count;
    this.mean = mean;
    this.squares = squares;
  }

  /**
   * Holds statistics of values that may have been missing: {@code present} of each feature weren't.
   */
  FeatureStatistics(long count, long[] presentOrNull, double[] mean, double[] squares) {
    this(count, mean, squares);
    this.presentOrNull = presentOrNull;
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

  /** Returns how many deviations a standardized feature may be away from 0; infinite for any. */
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
    merge(BatchStatistics.asTheyAre(this, features, rows));
  }

  /**
   * Statistics of the first {@code rows} rows of a row-major matrix, for these to be merged with.
   * Where these clip, a value counts as one that is no further away from what is known here than
   * {@link #mostDeviations}. So no single value makes all others look the same.
   *
   * <p>A feature that hasn't varied so far has no scale yet. Its values are compared with one
   * another, by their median and the median distance from it. Where more than half are the same,
   * that tells nothing: all count as they are.
   *
   * @param features none of them missing
   */
  public FeatureStatistics look(float[] features, int rows) {
    return BatchStatistics.at(this, features, rows);
  }

  /** Does what {@link #look} does, for features that may be missing: NaN. */
  public FeatureStatistics lookAtPresent(float[] features, int rows) {
    return BatchStatistics.atPresent(this, features, rows);
  }

  /**
   * Returns how far a value may count where so many are known: ten deviations, or the clip, at
   * first. Later the root of a hundredth of the examples, so that each of them may raise a variance
   * by a hundredth: what is rare comes to count in full, and a change of scale is followed in as
   * many examples, however many there were before.
   */
  double mostDeviations(long examples) {
    return Math.max(Math.max(clip, LEAST_BOUND), Math.sqrt(MOST_INFLUENCE * examples));
  }

  /** Adds the examples of others; the clip stays. */
  public void merge(FeatureStatistics other) {
    if (other.count == 0) {
      return;
    }
    if (presentOrNull != null || other.presentOrNull != null) {
      mergePresent(other);
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

  private void mergePresent(FeatureStatistics other) {
    long[] present = new long[mean.length];
    for (int i = 0; i < mean.length; i++) {
      long own = count(i);
      long theirs = other.count(i);
      present[i] = own + theirs;
      if (theirs > 0) {
        double share = theirs / ((double) own + theirs);
        double difference = other.mean[i] - mean[i];
        mean[i] += difference * share;
        squares[i] += other.squares[i] + difference * difference * own * share;
      }
    }
    presentOrNull = present;
    count += other.count;
  }

  /**
   * Returns these statistics with their features in other places.
   *
   * @param places by number of the feature there, its number here; negative for one of which
   *     nothing is known
   */
  public FeatureStatistics rearranged(int[] places) {
    long[] present = new long[places.length];
    double[] means = new double[places.length];
    double[] ofSquares = new double[places.length];
    boolean whole = presentOrNull == null;
    for (int i = 0; i < places.length; i++) {
      if (places[i] >= 0) {
        present[i] = count(places[i]);
        means[i] = mean[places[i]];
        ofSquares[i] = squares[places[i]];
      }
      whole &= places[i] >= 0;
    }
    FeatureStatistics moved =
        new FeatureStatistics(count, whole ? null : present, means, ofSquares);
    moved.clip = clip;
    return moved;
  }

  public FeatureStatistics copy() {
    FeatureStatistics copy = new FeatureStatistics(count, mean.clone(), squares.clone());
    copy.presentOrNull = presentOrNull == null ? null : presentOrNull.clone();
    copy.clip = clip;
    return copy;
  }

  /** Examples, or steps of sequences. */
  public long count() {
    return count;
  }

  /** Returns how many examples had the feature. */
  public long count(int feature) {
    return presentOrNull == null ? count : presentOrNull[feature];
  }

  public int features() {
    return mean.length;
  }

  public double mean(int feature) {
    return mean[feature];
  }

  /** Population standard deviation; 0 where nothing varies. */
  public double deviation(int feature) {
    long present = count(feature);
    return present == 0 ? 0 : Math.sqrt(squares[feature] / present);
  }

  /** The sum of squared differences from the mean. */
  double squares(int feature) {
    return squares[feature];
  }

  /**
   * Returns how far other examples lie from these: the greatest distance between means, and the
   * greatest deviation of theirs, of any feature, in deviations of these. Features that don't vary
   * here are left aside; 0 where there is nothing to compare.
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
    if (others.count(feature) == 0 || !(deviation > 0)) {
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

  /** Returns how many bytes {@link #WIRE} writes where no values are missing. */
  public static long bytes(int features) {
    long array = Integer.BYTES + (long) features * Double.BYTES;
    return 1 + Long.BYTES + 2 * array + Double.BYTES + 1;
  }

  /** Ends with a count for each feature, where values may be missing. */
  private static final class StatisticsWire implements WireFormat<FeatureStatistics>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(FeatureStatistics statistics, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(statistics.count);
      BulkArrays.writeDoubles(out, statistics.mean);
      BulkArrays.writeDoubles(out, statistics.squares);
      out.writeDouble(statistics.clip);
      long[] presentOrNull = statistics.presentOrNull;
      out.writeBoolean(presentOrNull != null);
      for (int i = 0; presentOrNull != null && i < presentOrNull.length; i++) {
        out.writeLong(presentOrNull[i]);
      }
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
      if (in.readBoolean()) {
        long[] present = new long[statistics.mean.length];
        for (int i = 0; i < present.length; i++) {
          present[i] = in.readLong();
        }
        statistics.presentOrNull = present;
      }
      return statistics;
    }
  }
}
