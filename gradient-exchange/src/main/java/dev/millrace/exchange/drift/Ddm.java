package dev.millrace.exchange.drift;

import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Compares the error rate since the newest drift with the least that it has been: the drift
 * detection method, DDM (Gama et al. 2004, "Learning with drift detection"). A drift is where rate
 * and deviation together are three deviations above that. It takes 30 examples. For errors that are
 * 0 or 1.
 */
public final class Ddm implements DriftDetector {

  private static final int FORMAT = 1;
  private static final int LEAST = 30;
  private static final double DEVIATIONS = 3;

  private final RecentMean recent = new RecentMean();
  private long count;
  private double rate;
  private double leastRate = Double.POSITIVE_INFINITY;
  private double leastDeviation;
  private Means means = Means.UNKNOWN;

  @Override
  public boolean add(double value) {
    recent.add(value);
    count++;
    rate += (value - rate) / count;
    if (count < LEAST) {
      return false;
    }
    double deviation = Math.sqrt(Math.max(0, rate * (1 - rate)) / count);
    if (rate + deviation < leastRate + leastDeviation && rate > 0) {
      leastRate = rate;
      leastDeviation = deviation;
    }
    if (rate + deviation <= leastRate + DEVIATIONS * leastDeviation) {
      return false;
    }
    means = new Means(leastRate, recent.mean());
    startAnew();
    return true;
  }

  private void startAnew() {
    recent.clear();
    count = 0;
    rate = 0;
    leastRate = Double.POSITIVE_INFINITY;
    leastDeviation = 0;
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
    recent.write(out);
    out.writeLong(count);
    out.writeDouble(rate);
    out.writeDouble(leastRate);
    out.writeDouble(leastDeviation);
    means.write(out);
  }

  @Override
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, Ddm.class);
    recent.read(in);
    count = in.readLong();
    rate = in.readDouble();
    leastRate = in.readDouble();
    leastDeviation = in.readDouble();
    means = Means.read(in);
  }
}
