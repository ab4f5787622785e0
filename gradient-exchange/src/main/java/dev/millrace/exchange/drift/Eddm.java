package dev.millrace.exchange.drift;

import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Compares the distance between two errors with the greatest that it has been: the early drift
 * detection method, EDDM (Baena-García et al. 2006). A drift is where the mean distance plus two
 * deviations falls below 0.9 of its greatest. It takes 30 errors. It finds slow changes that {@link
 * Ddm} misses, and more that are none. For errors that are 0 or 1.
 */
public final class Eddm implements DriftDetector {

  private static final int FORMAT = 1;
  private static final int LEAST = 30;
  private static final double SHARE = 0.9;

  private long seen;
  private long newest;
  private long errors;
  private double mean;
  private double squares;
  private double greatest;
  private double greatestMean;
  private Means means = Means.UNKNOWN;
  private final RecentMean distances = new RecentMean();

  @Override
  public boolean add(double value) {
    seen++;
    if (value == 0) {
      return false;
    }
    long distance = seen - newest;
    newest = seen;
    errors++;
    distances.add((double) distance);
    double difference = distance - mean;
    mean += difference / errors;
    squares += difference * (distance - mean);
    if (errors < LEAST) {
      return false;
    }
    double far = mean + 2 * Math.sqrt(squares / errors);
    if (far > greatest) {
      greatest = far;
      greatestMean = mean;
      return false;
    }
    if (far >= SHARE * greatest) {
      return false;
    }
    means = new Means(1 / greatestMean, 1 / distances.mean());
    startAnew();
    return true;
  }

  private void startAnew() {
    distances.clear();
    seen = 0;
    newest = 0;
    errors = 0;
    mean = 0;
    squares = 0;
    greatest = 0;
    greatestMean = 0;
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
    distances.write(out);
    out.writeLong(seen);
    out.writeLong(newest);
    out.writeLong(errors);
    out.writeDouble(mean);
    out.writeDouble(squares);
    out.writeDouble(greatest);
    out.writeDouble(greatestMean);
    means.write(out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, Eddm.class);
    distances.read(in);
    seen = in.readLong();
    newest = in.readLong();
    errors = in.readLong();
    mean = in.readDouble();
    squares = in.readDouble();
    greatest = in.readDouble();
    greatestMean = in.readDouble();
    means = Means.read(in);
  }
}
