package dev.millrace.exchange.steering;

import dev.millrace.model.features.FeatureStatistics;
import java.io.DataInput;
import java.io.DataOutput;

/** Leaves training as it is configured. */
public record NoSteering() implements CoordinatorHook, CoordinatorHookFactory {

  public static final NoSteering NONE = new NoSteering();

  @Override
  public CoordinatorHook hook() {
    return this;
  }

  @Override
  public ExampleSignals signals() {
    return ExampleSignals.NOTHING;
  }

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
