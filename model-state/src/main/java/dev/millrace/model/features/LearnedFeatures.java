package dev.millrace.model.features;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.WireFormat;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;

/**
 * All that a model learns of features before the network sees them: what numbers look like, and the
 * vocabularies of words. It is part of the global model, and goes wherever the model goes.
 *
 * <p>Not thread-safe.
 *
 * @param statistics of the numbers that are standardized, see {@link NumberColumns}; of no features
 *     where none are
 * @param vocabularies none where examples have no words
 */
public record LearnedFeatures(FeatureStatistics statistics, Vocabularies vocabularies)
    implements Serializable {

  public static final WireFormat<LearnedFeatures> WIRE = new LearnedWire();

  public LearnedFeatures {
    Objects.requireNonNull(statistics, "statistics");
    Objects.requireNonNull(vocabularies, "vocabularies");
  }

  /** Returns what was learned of examples without words. */
  public static LearnedFeatures of(FeatureStatistics statistics) {
    return new LearnedFeatures(statistics, Vocabularies.NONE);
  }

  /**
   * Returns what no example has told: nothing yet.
   *
   * @param standardize whether numbers are standardized
   */
  public static LearnedFeatures none(ExampleShape shape, boolean standardize) {
    return new LearnedFeatures(
        new FeatureStatistics(standardize ? NumberColumns.count(shape) : 0),
        new Vocabularies(shape.columns().words()));
  }

  /** Whether any features are standardized. */
  public boolean standardizes() {
    return statistics.features() > 0;
  }

  /**
   * Checks that a job which begins with these can continue from a checkpoint's.
   *
   * @throws InvalidModelException if only one of the two standardizes, or they have other words
   */
  public void checkAgainst(LearnedFeatures saved) {
    if (saved.standardizes() != standardizes()) {
      throw new InvalidModelException(
          ("The checkpoint was made with standardization of features %s, and this job has it %s;"
                  + " submit with it %s")
              .formatted(
                  onOff(saved.standardizes()), onOff(standardizes()), onOff(saved.standardizes())));
    }
    if (saved.vocabularies.columns() != vocabularies.columns()) {
      throw new InvalidModelException(
          ("The checkpoint was made with %s vocabularies of words, and this job has %s; submit with"
                  + " the fields that it was made with")
              .formatted(saved.vocabularies.columns(), vocabularies.columns()));
    }
  }

  private static String onOff(boolean on) {
    return on ? "on" : "off";
  }

  public LearnedFeatures copy() {
    return new LearnedFeatures(statistics.copy(), vocabularies.copy());
  }

  /** A copy of what completing features takes: without the counts of words. */
  public LearnedFeatures withoutCounts() {
    return new LearnedFeatures(statistics.copy(), vocabularies.withoutCounts());
  }

  private static final class LearnedWire implements WireFormat<LearnedFeatures>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(LearnedFeatures learned, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      FeatureStatistics.WIRE.write(learned.statistics, out);
      Vocabularies.WIRE.write(learned.vocabularies, out);
    }

    @Override
    public LearnedFeatures read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, LearnedFeatures.class);
      FeatureStatistics statistics = FeatureStatistics.WIRE.read(in);
      return new LearnedFeatures(statistics, Vocabularies.WIRE.read(in));
    }
  }
}
