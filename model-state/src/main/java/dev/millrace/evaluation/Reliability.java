package dev.millrace.evaluation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Stated probabilities against what came true, in {@value #BINS} bins of one width, as Guo et al.
 * (On Calibration of Modern Neural Networks, 2017) have it. A probability on the border of two bins
 * belongs to the upper one.
 */
final class Reliability {

  static final int BINS = 15;

  private final long[] counts = new long[BINS];
  private final long[] came = new long[BINS];
  private final CompensatedSum[] stated = new CompensatedSum[BINS];

  Reliability() {
    for (int bin = 0; bin < BINS; bin++) {
      stated[bin] = new CompensatedSum();
    }
  }

  void add(float probability, boolean cameTrue) {
    int bin = Math.max(0, Math.min(BINS - 1, (int) (probability * BINS)));
    counts[bin]++;
    came[bin] += cameTrue ? 1 : 0;
    stated[bin].add(probability);
  }

  Calibration result() {
    long examples = Counts.sum(counts);
    List<Calibration.Bin> bins = new ArrayList<>();
    CompensatedSum error = new CompensatedSum();
    Double greatest = null;
    for (int bin = 0; bin < BINS; bin++) {
      Double mean = Ratios.mean(stated[bin], counts[bin]);
      Double share = Ratios.share(came[bin], counts[bin]);
      if (counts[bin] > 0) {
        double gap = Math.abs(mean - share);
        error.add(gap * counts[bin]);
        greatest = greatest == null ? gap : Math.max(greatest, gap);
      }
      bins.add(
          new Calibration.Bin((double) bin / BINS, (bin + 1.0) / BINS, counts[bin], mean, share));
    }
    return new Calibration(Ratios.mean(error, examples), greatest, bins);
  }

  void merge(Reliability other) {
    Counts.add(counts, other.counts);
    Counts.add(came, other.came);
    for (int bin = 0; bin < BINS; bin++) {
      stated[bin].add(other.stated[bin]);
    }
  }

  void write(DataOutput out) throws IOException {
    Counts.write(counts, out);
    Counts.write(came, out);
    for (CompensatedSum sum : stated) {
      sum.write(out);
    }
  }

  void read(DataInput in) throws IOException {
    Counts.read(counts, in);
    Counts.read(came, in);
    for (CompensatedSum sum : stated) {
      sum.read(in);
    }
  }
}
