package dev.millrace.exchange.round;

import java.util.List;

/**
 * A round as the coordinator has decided it.
 *
 * @param round its number
 * @param members its contributions, in the order of replica numbers
 */
public record ClosedRound(long round, List<Member> members) {

  public ClosedRound {
    members = List.copyOf(members);
  }
}
