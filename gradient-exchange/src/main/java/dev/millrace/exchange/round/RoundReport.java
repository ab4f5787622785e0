package dev.millrace.exchange.round;

import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * How far training has come, for people and metrics.
 *
 * @param version of the global model
 * @param time of the report, milliseconds since the epoch
 * @param learned records in the model
 * @param rejected records that the model has not learned from, those of refused contributions among
 *     them
 * @param refused contributions
 * @param newest round
 * @param prequential predictions before learning, from the start
 * @param recent the same over the sliding window
 */
public record RoundReport(
    ModelVersion version,
    long time,
    long learned,
    long rejected,
    RefusedContributions refused,
    NewestRound newest,
    Measures prequential,
    Measures recent)
    implements Serializable {

  public static final WireFormat<RoundReport> WIRE = new ReportWire();

  private static final class ReportWire implements WireFormat<RoundReport>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(RoundReport report, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(report.version.generation());
      out.writeLong(report.version.round());
      out.writeLong(report.time);
      out.writeLong(report.learned);
      out.writeLong(report.rejected);
      report.refused.write(out);
      report.newest.write(out);
      Measures.WIRE.write(report.prequential, out);
      Measures.WIRE.write(report.recent, out);
    }

    @Override
    public RoundReport read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RoundReport.class);
      return new RoundReport(
          new ModelVersion(in.readLong(), in.readLong()),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          RefusedContributions.read(in),
          NewestRound.read(in),
          Measures.WIRE.read(in),
          Measures.WIRE.read(in));
    }
  }
}
