package dev.millrace.exchange.round;

import java.util.BitSet;
import java.util.List;

/**
 * A round as the coordinator has decided it.
 *
 * @param round its number
 * @param members its contributions, in the order of replica numbers
 * @param participation how much of a whole round these are
 */
public record ClosedRound(long round, List<Member> members, Participation participation) {

  public ClosedRound {
    members = List.copyOf(members);
  }

  /** The numbers of the replicas. */
  public BitSet replicas() {
    BitSet replicas = new BitSet();
    members.forEach(member -> replicas.set(member.replica()));
    return replicas;
  }
}
