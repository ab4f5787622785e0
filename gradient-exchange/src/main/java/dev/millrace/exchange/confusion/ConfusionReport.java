package dev.millrace.exchange.confusion;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Which classes a replica took for which, how often the simplest guess was right, and how sure the
 * replica was.
 *
 * @param time in milliseconds since the epoch
 * @param round of the global model that it had
 * @param counts a row for each actual class, with a column for each predicted one
 * @param lastLabels how many examples had the label of the one before
 * @param confidence bins of the predicted class's probability, of one width from 0 to 1
 */
public record ConfusionReport(
    long time, long round, List<List<Integer>> counts, int lastLabels, List<Bin> confidence)
    implements Serializable {

  /**
   * Examples with similar probabilities.
   *
   * @param stated sum of the probabilities
   */
  public record Bin(int examples, int right, double stated) implements Serializable {}

  public static final WireFormat<ConfusionReport> WIRE = new ReportWire();

  static List<List<Integer>> copy(int[][] counts) {
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
      out.writeInt(report.lastLabels);
      out.writeInt(report.confidence.size());
      for (Bin bin : report.confidence) {
        out.writeInt(bin.examples);
        out.writeInt(bin.right);
        out.writeDouble(bin.stated);
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
      int lastLabels = in.readInt();
      List<Bin> confidence = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        confidence.add(new Bin(in.readInt(), in.readInt(), in.readDouble()));
      }
      return new ConfusionReport(time, round, copy(counts), lastLabels, confidence);
    }
  }
}
