package dev.millrace.exchange.confusion;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Which classes a replica took for which.
 *
 * @param time in milliseconds since the epoch
 * @param round of the global model that it had
 * @param counts a row for each actual class, with a column for each predicted one
 */
public record ConfusionReport(long time, long round, List<List<Integer>> counts)
    implements Serializable {

  public static final WireFormat<ConfusionReport> WIRE = new ReportWire();

  ConfusionReport(long time, long round, int[][] counts) {
    this(time, round, copy(counts));
  }

  private static List<List<Integer>> copy(int[][] counts) {
    List<List<Integer>> rows = new ArrayList<>(counts.length);
    for (int[] row : counts) {
      List<Integer> cells = new ArrayList<>(row.length);
      for (int count : row) {
        cells.add(count);
      }
      rows.add(List.copyOf(cells));
    }
    return List.copyOf(rows);
  }

  private static final class ReportWire implements WireFormat<ConfusionReport>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(ConfusionReport report, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(report.time);
      out.writeLong(report.round);
      out.writeInt(report.counts.size());
      for (List<Integer> row : report.counts) {
        for (int count : row) {
          out.writeInt(count);
        }
      }
    }

    @Override
    public ConfusionReport read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ConfusionReport.class);
      long time = in.readLong();
      long round = in.readLong();
      int[][] counts = new int[in.readInt()][];
      for (int row = 0; row < counts.length; row++) {
        counts[row] = new int[counts.length];
        for (int column = 0; column < counts.length; column++) {
          counts[row][column] = in.readInt();
        }
      }
      return new ConfusionReport(time, round, counts);
    }
  }
}
