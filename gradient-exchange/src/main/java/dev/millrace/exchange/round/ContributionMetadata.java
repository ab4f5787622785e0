package dev.millrace.exchange.round;

import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.WireFormat;
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
 * @param measures of the predictions before learning
 */
public record ContributionMetadata(
    double weight,
    long updaterSteps,
    Ledger ledger,
    FeatureStatistics statistics,
    Measures measures)
    implements Serializable {

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
    }

    @Override
    public ContributionMetadata read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ContributionMetadata.class);
      return new ContributionMetadata(
          in.readDouble(),
          in.readLong(),
          Ledger.WIRE.read(in),
          FeatureStatistics.WIRE.read(in),
          Measures.WIRE.read(in));
    }
  }
}
