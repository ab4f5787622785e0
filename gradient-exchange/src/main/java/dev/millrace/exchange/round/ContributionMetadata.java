package dev.millrace.exchange.round;

import dev.millrace.exchange.drift.ErrorTrace;
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
 */
public record ContributionMetadata(
    double weight,
    long updaterSteps,
    Ledger ledger,
    FeatureStatistics statistics,
    WordCounts words,
    Measures measures,
    ErrorTrace errors)
    implements Serializable {

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
   * The second version ends with the words, the third with words and errors: where there are none,
   * they are of no use.
   */
  private static final class MetadataWire
      implements WireFormat<ContributionMetadata>, Serializable {

    private static final int VERSION = 3;

    @Override
    public void write(ContributionMetadata metadata, DataOutput out) throws IOException {
      boolean words = metadata.words.columns() > 0;
      boolean errors = metadata.errors.size() > 0;
      out.writeByte(errors ? VERSION : words ? 2 : 1);
      out.writeDouble(metadata.weight);
      out.writeLong(metadata.updaterSteps);
      Ledger.WIRE.write(metadata.ledger, out);
      FeatureStatistics.WIRE.write(metadata.statistics, out);
      Measures.WIRE.write(metadata.measures, out);
      if (words || errors) {
        WordCounts.WIRE.write(metadata.words, out);
      }
      if (errors) {
        ErrorTrace.WIRE.write(metadata.errors, out);
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
      return new ContributionMetadata(
          weight, updaterSteps, ledger, statistics, words, measures, errors);
    }
  }
}
