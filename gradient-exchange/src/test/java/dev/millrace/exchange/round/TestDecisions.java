package dev.millrace.exchange.round;

import java.util.BitSet;

/** Decisions of rounds that nobody is missing in. */
public final class TestDecisions {

  private TestDecisions() {}

  public static Decision decision(int block, long round, boolean publish, int... replicas) {
    return new Decision(block, round, members(replicas), Participation.WHOLE, publish);
  }

  public static BitSet members(int... replicas) {
    BitSet members = new BitSet();
    for (int replica : replicas) {
      members.set(replica);
    }
    return members;
  }
}
