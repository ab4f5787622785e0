package dev.millrace.exchange.round;

import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the coordinator tells every replica after each round: all of the global model that isn't in
 * its parameter blocks and that replicas need.
 *
 * @param round number of the round
 * @param iteration most optimizer steps of any replica
 * @param statistics of all features learned from; no features where standardization is off
 * @param included newest contribution of each replica that is in the global model
 * @param announced newest contribution of each replica that the coordinator knows of
 * @param homes where each replica is told, see {@code ReplicaLinks}
 * @param localSteps that a replica makes before its next contribution
 * @param ended whether training is over: replicas take no more records
 */
public record RoundHead(
    long round,
    long iteration,
    FeatureStatistics statistics,
    ContributionSequences included,
    ContributionSequences announced,
    Map<Integer, String> homes,
    int localSteps,
    boolean ended)
    implements Serializable {

  public static final WireFormat<RoundHead> WIRE = new HeadWire();

  public RoundHead {
    homes = Map.copyOf(homes);
  }

  private static final class HeadWire implements WireFormat<RoundHead>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(RoundHead head, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(head.round);
      out.writeLong(head.iteration);
      FeatureStatistics.WIRE.write(head.statistics, out);
      ContributionSequences.WIRE.write(head.included, out);
      ContributionSequences.WIRE.write(head.announced, out);
      out.writeInt(head.homes.size());
      for (var home : head.homes.entrySet()) {
        out.writeInt(home.getKey());
        out.writeUTF(home.getValue());
      }
      out.writeInt(head.localSteps);
      out.writeBoolean(head.ended);
    }

    @Override
    public RoundHead read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RoundHead.class);
      long round = in.readLong();
      long iteration = in.readLong();
      FeatureStatistics statistics = FeatureStatistics.WIRE.read(in);
      ContributionSequences included = ContributionSequences.WIRE.read(in);
      ContributionSequences announced = ContributionSequences.WIRE.read(in);
      Map<Integer, String> homes = new TreeMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        homes.put(in.readInt(), in.readUTF());
      }
      return new RoundHead(
          round, iteration, statistics, included, announced, homes, in.readInt(), in.readBoolean());
    }
  }
}
