package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The {@link Standing} of each replica, also of numbers that are no more: one that returns
 * continues their sequence.
 *
 * <p>Not thread-safe.
 */
final class Standings {

  private final Map<Integer, Standing> byReplica = new TreeMap<>();

  Standing of(int replica) {
    return byReplica.getOrDefault(replica, Standing.NONE);
  }

  void announced(int replica, long sequence) {
    byReplica.put(replica, of(replica).announced(sequence));
  }

  void included(Member member, long round) {
    byReplica.put(member.replica(), of(member.replica()).included(member.sequence(), round));
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(byReplica.size());
    for (var standing : byReplica.entrySet()) {
      out.writeInt(standing.getKey());
      standing.getValue().write(out);
    }
  }

  static Standings read(DataInput in) throws IOException {
    Standings standings = new Standings();
    for (int left = in.readInt(); left > 0; left--) {
      standings.byReplica.put(in.readInt(), Standing.read(in));
    }
    return standings;
  }
}
