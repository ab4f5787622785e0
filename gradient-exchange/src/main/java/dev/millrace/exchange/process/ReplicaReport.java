package dev.millrace.exchange.process;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * How much a replica has learned, and what its process uses.
 *
 * @param time in milliseconds since the epoch
 * @param round of the global model that it had
 * @param examples fresh ones that it has learned since the attempt began
 * @param process names it; replicas of one process tell the same of it
 * @param cpu share of the machine's processors that the process uses; NaN where it isn't known
 * @param heap bytes that are used
 * @param mostHeap bytes that may be used
 */
public record ReplicaReport(
    long time,
    long round,
    int replica,
    long examples,
    String process,
    double cpu,
    long heap,
    long mostHeap)
    implements Serializable {

  public static final WireFormat<ReplicaReport> WIRE = new ReportWire();

  private static final class ReportWire implements WireFormat<ReplicaReport>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(ReplicaReport report, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(report.time);
      out.writeLong(report.round);
      out.writeInt(report.replica);
      out.writeLong(report.examples);
      out.writeUTF(report.process);
      out.writeDouble(report.cpu);
      out.writeLong(report.heap);
      out.writeLong(report.mostHeap);
    }

    @Override
    public ReplicaReport read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ReplicaReport.class);
      return new ReplicaReport(
          in.readLong(),
          in.readLong(),
          in.readInt(),
          in.readLong(),
          in.readUTF(),
          in.readDouble(),
          in.readLong(),
          in.readLong());
    }
  }
}
