package dev.millrace.benchmark.workload;

import dev.millrace.file.RecordSequence;
import java.util.List;

/** Gives the same values over and over, without keys and without end. */
public final class RepeatedValues implements RecordSequence {

  private final List<byte[]> values;
  private int next = -1;

  /**
   * @param values at least one
   */
  public RepeatedValues(List<byte[]> values) {
    this.values = List.copyOf(values);
  }

  @Override
  public boolean next() {
    next = (next + 1) % values.size();
    return true;
  }

  @Override
  public boolean skip() {
    return next();
  }

  @Override
  public byte[] key() {
    return null;
  }

  @Override
  public byte[] value() {
    return values.get(next);
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
