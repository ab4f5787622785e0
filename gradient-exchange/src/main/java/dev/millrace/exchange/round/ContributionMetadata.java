package dev.millrace.exchange.round;

import dev.millrace.exchange.drift.ErrorTrace;
import dev.millrace.exchange.drift.FeatureSample;
import dev.millrace.exchange.drift.PastLosses;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.WireFormat;
import dev.millrace.model.WordCounts;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

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
 * @param past how well past models predict some of the examples; none where nobody asks
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
    PastLosses past)
    implements Serializable {

  /** Of examples that neither past models nor features are looked at by. */
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
        PastLosses.NONE);
  }

  /** Of examples whose errors aren't told one by one. */
  public ContributionMetadata(
      double weight,
      long updaterSteps,
      Ledger ledger,
      FeatureStatistics statistics,
      WordCounts words,
      Measures measures) {
    this(weight, updaterSteps, ledger, statistics, words, measures, new ErrorTrace(true));
  }

  /** Of examples without words. */
  public ContributionMetadata(
      double weight,
      long updaterSteps,
      Ledger ledger,
      FeatureStatistics statistics,
      Measures measures) {
    this(weight, updaterSteps, ledger, statistics, new WordCounts(0), measures);
  }

  public static final WireFormat<ContributionMetadata> WIRE = new MetadataWire();

  /**
   * The second version ends with the words, the third with words and errors, the fourth with these,
   * a sample and what past models lose: where there are none, they are of no use.
   */
  private static final class MetadataWire
      implements WireFormat<ContributionMetadata>, Serializable {

    private static final int VERSION = 4;

    @Override
    public void write(ContributionMetadata metadata, DataOutput out) throws IOException {
      boolean words = metadata.words.columns() > 0;
      boolean errors = metadata.errors.size() > 0;
      boolean more = metadata.past.examples() > 0 || metadata.sample.rows() > 0;
      out.writeByte(more ? VERSION : errors ? 3 : words ? 2 : 1);
      out.writeDouble(metadata.weight);
      out.writeLong(metadata.updaterSteps);
      Ledger.WIRE.write(metadata.ledger, out);
      FeatureStatistics.WIRE.write(metadata.statistics, out);
      Measures.WIRE.write(metadata.measures, out);
      if (words || errors || more) {
        WordCounts.WIRE.write(metadata.words, out);
      }
      if (errors || more) {
        ErrorTrace.WIRE.write(metadata.errors, out);
      }
      if (more) {
        FeatureSample.WIRE.write(metadata.sample, out);
        PastLosses.WIRE.write(metadata.past, out);
      }
    }

    @Override
    public ContributionMetadata read(DataInput in) throws IOException {
      int version = WireFormat.readVersion(in, VERSION, ContributionMetadata.class);
      double weight = in.readDouble();
      long updaterSteps = in.readLong();
      Ledger ledger = Ledger.WIRE.read(in);
      FeatureStatistics statistics = FeatureStatistics.WIRE.read(in);
      Measures measures = Measures.WIRE.read(in);
      WordCounts words = version == 1 ? new WordCounts(0) : WordCounts.WIRE.read(in);
      ErrorTrace errors = version < 3 ? new ErrorTrace(true) : ErrorTrace.WIRE.read(in);
      FeatureSample sample = version < 4 ? new FeatureSample(0) : FeatureSample.WIRE.read(in);
      PastLosses past = version < 4 ? PastLosses.NONE : PastLosses.WIRE.read(in);
      return new ContributionMetadata(
          weight, updaterSteps, ledger, statistics, words, measures, errors, sample, past);
    }
  }
}
