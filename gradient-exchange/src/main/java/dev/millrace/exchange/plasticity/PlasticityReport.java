package dev.millrace.exchange.plasticity;

import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How able a replica's network is to learn.
 *
 * @param time in milliseconds since the epoch
 * @param round of the global model that it had
 * @param layers that have parameters, in their order
 */
public record PlasticityReport(long time, long round, List<LayerPlasticity> layers)
    implements Serializable {

  public static final WireFormat<PlasticityReport> WIRE = new ReportWire();

  private static final class ReportWire implements WireFormat<PlasticityReport>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(PlasticityReport report, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(report.time);
      out.writeLong(report.round);
      out.writeInt(report.layers.size());
      for (LayerPlasticity layer : report.layers) {
        layer.write(out);
      }
    }

    @Override
    public PlasticityReport read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, PlasticityReport.class);
      long time = in.readLong();
      long round = in.readLong();
      List<LayerPlasticity> layers = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        layers.add(LayerPlasticity.read(in));
      }
      return new PlasticityReport(time, round, List.copyOf(layers));
    }
  }
}
