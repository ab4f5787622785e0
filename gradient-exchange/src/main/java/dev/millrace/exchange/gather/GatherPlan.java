package dev.millrace.exchange.gather;

import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.round.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Says who combines which members of a round. Each contribution is in one place: with the gatherer
 * that its replica sends to, or, if it was announced before the start, wherever the restored state
 * of the gatherers was dealt to.
 *
 * <p>Not thread-safe.
 */
public final class GatherPlan {

  /** Announced before the start, and in no round yet. */
  private final Set<ContributionId> restored;

  /** {@code restored} are the contributions that no round included when the job was started. */
  public GatherPlan(Collection<ContributionId> restored) {
    this.restored = new HashSet<>(restored);
  }

  /**
   * Returns what gatherers are told of a round: those that have members. All are told of a round
   * with restored members, and of no other.
   *
   * @param gathererOf by replica, which gatherer it sends to; only asked of replicas that have
   *     contributed since the start
   * @param gatherers how many there are
   */
  public List<GatherOrder> orders(ClosedRound round, IntUnaryOperator gathererOf, int gatherers) {
    Map<Integer, List<ContributionId>> own = new TreeMap<>();
    List<ContributionId> anywhere = new ArrayList<>();
    for (Member member : round.members()) {
      ContributionId id = new ContributionId(member.replica(), member.sequence());
      if (restored.remove(id)) {
        anywhere.add(id);
      } else {
        own.computeIfAbsent(gathererOf.applyAsInt(id.replica()), any -> new ArrayList<>()).add(id);
      }
    }
    if (!anywhere.isEmpty()) {
      for (int gatherer = 0; gatherer < gatherers; gatherer++) {
        own.computeIfAbsent(gatherer, any -> List.of());
      }
    }
    List<GatherOrder> orders = new ArrayList<>();
    own.forEach(
        (gatherer, members) ->
            orders.add(new GatherOrder(gatherer, round.round(), members, anywhere)));
    return orders;
  }
}
