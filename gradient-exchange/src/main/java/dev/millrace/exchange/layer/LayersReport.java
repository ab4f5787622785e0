package dev.millrace.exchange.layer;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The layers of a replica's network after one of its local steps.
 *
 * @param time in milliseconds since the epoch
 * @param round of the global model that the replica had
 * @param layers that have parameters, in their order
 */
public record LayersReport(long time, long round, List<LayerStatistics> layers)
    implements Serializable {

  public static final WireFormat<LayersReport> WIRE = new ReportWire();

  private static final class ReportWire implements WireFormat<LayersReport>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(LayersReport report, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(report.time);
      out.writeLong(report.round);
      out.writeInt(report.layers.size());
      for (LayerStatistics layer : report.layers) {
        layer.write(out);
      }
    }

    @Override
    public LayersReport read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, LayersReport.class);
      long time = in.readLong();
      long round = in.readLong();
      List<LayerStatistics> layers = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        layers.add(LayerStatistics.read(in));
      }
      return new LayersReport(time, round, List.copyOf(layers));
    }
  }
}
