package dev.millrace.benchmark.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a figure was in each repetition. */
public final class Samples {

  private final List<Double> values = new ArrayList<>();

  public void add(double value) {
    values.add(value);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Returns the samples in the order in which they were measured. */
  public List<Double> values() {
    return List.copyOf(values);
  }

  /** The mean of the two in the middle where they are even in number. */
  public double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double least() {
    return Collections.min(values);
  }

  public double greatest() {
    return Collections.max(values);
  }
}
