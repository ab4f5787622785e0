package dev.millrace.exchange.round;

import dev.millrace.exchange.log.ReplicaLog;
import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.exchange.steering.FeatureSample;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/**
 * What goes with the change that a contribution carries: how many examples made it, which records
 * they were, what their features looked like and how well they were predicted. The coordinator adds
 * it to the global model's own when it takes the contribution into a round, so all of it is counted
 * exactly once, or not yet.
 *
 * @param weight sum of the examples' weights
 * @param updaterSteps that the replica's updater state has seen
 * @param ledger the records
 * @param statistics of the examples' features; no features where standardization is off
 * @param words that the examples had, counted; none where they have no words
 * @param measures of the predictions before learning
 * @param errors of these, one by one; none where nobody looks at them
 * @param sample features of some of the examples; of none where nobody looks at them
 * @param log what the replica did for it, see {@link ReplicaLog}; empty where nobody keeps it
 */
public record ContributionMetadata(
    double weight,
    long updaterSteps,
    Ledger ledger,
    FeatureStatistics statistics,
    WordCounts words,
    Measures measures,
    ErrorTrace errors,
    FeatureSample sample,
    String log)
    implements Serializable {

  /** Describes examples whose features nobody looks at. */
  public ContributionMetadata(
      double weight,
      long updaterSteps,
      Ledger ledger,
      FeatureStatistics statistics,
      WordCounts words,
      Measures measures,
      ErrorTrace errors) {
    this(
        weight,
        updaterSteps,
        ledger,
        statistics,
        words,
        measures,
        errors,
        new FeatureSample(0),
        "");
  }

  /** Describes a contribution of examples whose errors aren't told one by one. */
  public ContributionMetadata(
      double weight,
      long updaterSteps,
      Ledger ledger,
      FeatureStatistics statistics,
      WordCounts words,
      Measures measures) {
    this(weight, updaterSteps, ledger, statistics, words, measures, new ErrorTrace(true));
  }

  /** Describes a contribution of examples without words. */
  public ContributionMetadata(
      double weight,
      long updaterSteps,
      Ledger ledger,
      FeatureStatistics statistics,
      Measures measures) {
    this(weight, updaterSteps, ledger, statistics, new WordCounts(0), measures);
  }

  /**
   * Returns the same for a model that has grown. Examples that were sampled have other features, so
   * there are none. What was done to the smaller model can't be done again.
   */
  public ContributionMetadata grown(Places places) {
    return new ContributionMetadata(
        weight,
        updaterSteps,
        ledger,
        places.apply(statistics),
        words.rearranged(places.words()),
        measures,
        errors,
        new FeatureSample(0),
        "");
  }

  /** Returns the same of a replica that did this for it. */
  public ContributionMetadata retold(String otherLog) {
    return new ContributionMetadata(
        weight, updaterSteps, ledger, statistics, words, measures, errors, sample, otherLog);
  }

  public static final WireFormat<ContributionMetadata> WIRE = new MetadataWire();

  private static final class MetadataWire
      implements WireFormat<ContributionMetadata>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(ContributionMetadata metadata, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeDouble(metadata.weight);
      out.writeLong(metadata.updaterSteps);
      Ledger.WIRE.write(metadata.ledger, out);
      FeatureStatistics.WIRE.write(metadata.statistics, out);
      Measures.WIRE.write(metadata.measures, out);
      WordCounts.WIRE.write(metadata.words, out);
      ErrorTrace.WIRE.write(metadata.errors, out);
      FeatureSample.WIRE.write(metadata.sample, out);
      BulkArrays.writeBytes(out, metadata.log.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public ContributionMetadata read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ContributionMetadata.class);
      double weight = in.readDouble();
      long updaterSteps = in.readLong();
      Ledger ledger = Ledger.WIRE.read(in);
      FeatureStatistics statistics = FeatureStatistics.WIRE.read(in);
      Measures measures = Measures.WIRE.read(in);
      return new ContributionMetadata(
          weight,
          updaterSteps,
          ledger,
          statistics,
          WordCounts.WIRE.read(in),
          measures,
          ErrorTrace.WIRE.read(in),
          FeatureSample.WIRE.read(in),
          new String(BulkArrays.readBytes(in), StandardCharsets.UTF_8));
    }
  }
}
