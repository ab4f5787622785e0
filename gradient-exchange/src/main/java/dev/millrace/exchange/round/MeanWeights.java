package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many examples, by weight, are usually behind a contribution of each replica: a sliding mean
 * over about ten of its contributions.
 *
 * <p>Not thread-safe.
 */
final class MeanWeights {

  private static final double NEWEST = 0.1;

  private final Map<Integer, Double> byReplica = new TreeMap<>();

  /** A contribution is part of a round. */
  void contributed(int replica, double weight) {
    byReplica.merge(replica, weight, (usual, newest) -> usual + NEWEST * (newest - usual));
  }

  /** Returns the usual weight of a replica that has contributed. */
  double of(int replica) {
    return byReplica.get(replica);
  }

  /**
   * Returns how much of a whole round these members make.
   *
   * @param members of which each has {@linkplain #contributed contributed}; at least one
   * @param late replicas that will contribute to a later round: of each as much is expected as
   *     usual, or as of a member where it has never contributed
   * @param away how many replicas without records belong to a whole round, too. What they
   *     contributed while they had some says nothing: of each as much is expected as of a member
   */
  Participation of(List<Member> members, BitSet late, int away) {
    double weight = 0;
    double usual = 0;
    for (Member member : members) {
      weight += member.weight();
      usual += byReplica.get(member.replica());
    }
    double mean = usual / members.size();
    double whole = usual + away * mean;
    whole += late.stream().mapToDouble(one -> byReplica.getOrDefault(one, mean)).sum();
    return new Participation(usual / whole, Math.min(1, weight / whole));
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(byReplica.size());
    for (var usual : byReplica.entrySet()) {
      out.writeInt(usual.getKey());
      out.writeDouble(usual.getValue());
    }
  }

  static MeanWeights read(DataInput in) throws IOException {
    MeanWeights weights = new MeanWeights();
    for (int left = in.readInt(); left > 0; left--) {
      weights.byReplica.put(in.readInt(), in.readDouble());
    }
    return weights;
  }
}
