package dev.millrace.exchange.steering;

import dev.millrace.model.FeatureStatistics;
import java.io.DataInput;
import java.io.DataOutput;

/** Leaves training as it is configured. */
final class NoSteering implements CoordinatorHook {

  @Override
  public String name() {
    return "none";
  }

  @Override
  public void add(ErrorTrace errors, FeatureStatistics statistics, FeatureSample sample) {}

  @Override
  public Verdict close(long examples, FeatureStatistics all) {
    return Verdict.NOTHING;
  }

  @Override
  public void write(DataOutput out) {}

  @Override
  public void read(DataInput in) {}
}
