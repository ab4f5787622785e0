package dev.millrace.exchange.gather;

import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.round.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Says who combines which members of a round. Each contribution is in one place: with the gatherer
 * that its replica sends to, or, if it was announced before the start, where it was in the
 * checkpoint. Where the number of gatherers has changed since, it is wherever the restored state
 * was dealt to, and is combined with none.
 *
 * <p>Not thread-safe.
 */
public final class GatherPlan {

  /** Announced before the start, and in no round yet. */
  private final Set<ContributionId> restored;

  private final GatheredPlaces before;

  /**
   * @param restored contributions that no round included when the job was started
   * @param before where they were in the checkpoint
   */
  public GatherPlan(Collection<ContributionId> restored, GatheredPlaces before) {
    this.restored = new HashSet<>(restored);
    this.before = before;
  }

  /**
   * Returns what gatherers are told of a round: those that have members. All are told of a round
   * with restored members of which nobody knows where they are, and of no other.
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
      OptionalInt place = place(id, gathererOf, gatherers);
      restored.remove(id);
      if (place.isPresent()) {
        own.computeIfAbsent(place.getAsInt(), any -> new ArrayList<>()).add(id);
      } else {
        anywhere.add(id);
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

  private OptionalInt place(ContributionId id, IntUnaryOperator gathererOf, int gatherers) {
    return restored.contains(id)
        ? before.of(id, gatherers)
        : OptionalInt.of(gathererOf.applyAsInt(id.replica()));
  }

  /**
   * Returns where contributions are now that no round has included, for a checkpoint.
   *
   * @param underWay all of them
   * @param gathererOf as of {@link #orders}
   * @param gatherers how many there are; 0 as long as nobody knows, when none has come since the
   *     start
   */
  public GatheredPlaces places(
      Collection<ContributionId> underWay, IntUnaryOperator gathererOf, int gatherers) {
    if (gatherers == 0) {
      return before;
    }
    Map<ContributionId, Integer> places = new HashMap<>();
    for (ContributionId id : underWay) {
      place(id, gathererOf, gatherers).ifPresent(place -> places.put(id, place));
    }
    return new GatheredPlaces(gatherers, places);
  }
}
