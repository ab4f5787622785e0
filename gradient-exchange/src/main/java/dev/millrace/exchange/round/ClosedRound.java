package dev.millrace.exchange.round;

import dev.millrace.exchange.schedule.Fragment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A round as the coordinator has decided it.
 *
 * @param round its number
 * @param members its contributions, in the order of replica numbers; none only where a job is
 *     followed, see {@link Coordinator#pass}
 * @param participation how much of a whole round these are, whichever blocks they cover
 */
public record ClosedRound(long round, List<Member> members, Participation participation) {

  /** What is said to all blocks that the same members cover. */
  private record Part(BitSet replicas, Participation participation) {}

  public ClosedRound {
    members = List.copyOf(members);
  }

  /** Returns which blocks the round changes: those that one of these covers. */
  public List<Fragment> fragments() {
    return members.stream().map(Member::fragment).distinct().toList();
  }

  /**
   * Returns what each block is told, in the order of their numbers. To a block, members that don't
   * cover it are missing: so replicas that are out of step move it by their share.
   *
   * @param blocks how many there are
   */
  public List<Decision> decisions(int blocks, boolean publish) {
    List<Fragment> fragments = fragments();
    Map<BitSet, Part> parts = new HashMap<>();
    List<Decision> decisions = new ArrayList<>(blocks);
    for (int block = 0; block < blocks; block++) {
      BitSet covering = new BitSet();
      for (int i = 0; i < fragments.size(); i++) {
        covering.set(i, fragments.get(i).covers(block));
      }
      Part part = parts.get(covering);
      if (part == null) {
        part = part(block);
        parts.put(covering, part);
      }
      decisions.add(new Decision(block, round, part.replicas, part.participation, publish));
    }
    return decisions;
  }

  private Part part(int block) {
    BitSet replicas = new BitSet();
    double weight = 0;
    double usual = 0;
    double ofAll = 0;
    for (Member member : members) {
      ofAll += member.usual();
      if (member.fragment().covers(block)) {
        replicas.set(member.replica());
        weight += member.weight();
        usual += member.usual();
      }
    }
    if (replicas.isEmpty() || replicas.cardinality() == members.size()) {
      return new Part(replicas, participation);
    }
    double whole = ofAll / participation.share();
    return new Part(replicas, new Participation(usual / whole, Math.min(1, weight / whole)));
  }
}
