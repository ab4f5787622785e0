package dev.millrace.exchange.block;

import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.round.Decision;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Members of rounds that have come to a block combined. Those of the round that is next are added
 * up as they come, in the order of their lowest members, and let go of: what is kept is the sum,
 * and what has come ahead of its turn. So the result doesn't depend on the order of arrival.
 *
 * <p>Nothing of it is part of a checkpoint. A part is sent once its round is decided, and a barrier
 * comes behind the decisions of all rounds and the contributions to them. Not thread-safe.
 */
final class RoundParts {

  private final int block;

  /** The parts that wait, by round, and by lowest member. */
  private final Map<Long, SortedMap<Integer, Part>> waiting = new HashMap<>();

  /** The members of the next round that are added up. */
  private final BitSet added = new BitSet();

  /** The sum of the members that are added up; null while there are none. */
  private float[] sum;

  private double weight;

  RoundParts(int block) {
    this.block = block;
  }

  /**
   * Keeps a part until its round is made.
   *
   * @param newest the newest round that was made
   * @throws IllegalStateException if the round was made, or a member has come already
   */
  void add(Part part, long newest) {
    if (part.round() <= newest) {
      throw new IllegalStateException(
          "A part of round %s came to block %s, which is at round %s"
              .formatted(part.round(), block, newest));
    }
    SortedMap<Integer, Part> others = waiting.computeIfAbsent(part.round(), any -> new TreeMap<>());
    boolean again = part.round() == newest + 1 && part.members().intersects(added);
    if (again || others.values().stream().anyMatch(other -> overlap(part, other))) {
      throw new IllegalStateException(
          "A part of round %s came to block %s with members %s, one of whom had come already"
              .formatted(part.round(), block, part.members()));
    }
    others.put(lowest(part.members()), part);
  }

  private static boolean overlap(Part one, Part other) {
    return one.members().intersects(other.members());
  }

  private static int lowest(BitSet members) {
    return members.nextSetBit(0);
  }

  /**
   * Adds up what has come of the next round, as far as no lower member is missing.
   *
   * @throws IllegalStateException if a part is of a member that the round hasn't
   */
  void addUp(Decision decision, Combiner combiner) {
    SortedMap<Integer, Part> here = waiting.get(decision.round());
    if (here == null) {
      return;
    }
    BitSet missing = (BitSet) decision.members().clone();
    missing.andNot(added);
    for (Part next = here.remove(lowest(missing));
        next != null;
        next = here.remove(lowest(missing))) {
      require(next, missing);
      WaitingChange change = new WaitingChange(0, next.weight(), next.payload());
      if (sum == null) {
        sum = combiner.firstPart(block, change);
      } else {
        combiner.addPart(block, sum, weight, change);
      }
      weight += next.weight();
      added.or(next.members());
      missing.andNot(next.members());
    }
  }

  private void require(Part part, BitSet missing) {
    BitSet others = (BitSet) part.members().clone();
    others.andNot(missing);
    if (!others.isEmpty()) {
      throw new IllegalStateException(
          "A part of round %s came to block %s with members %s, and the round lacks only %s"
              .formatted(part.round(), block, part.members(), missing));
    }
  }

  /** Members of the next round that have come in parts; the caller's own. */
  BitSet members(long round) {
    BitSet members = (BitSet) added.clone();
    SortedMap<Integer, Part> here = waiting.get(round);
    if (here != null) {
      here.values().forEach(part -> members.or(part.members()));
    }
    return members;
  }

  /** Lets go of the next round. Gives its changes by their lowest members. */
  SortedMap<Integer, WaitingChange> take(Decision decision) {
    SortedMap<Integer, WaitingChange> changes = new TreeMap<>();
    SortedMap<Integer, Part> rest = waiting.remove(decision.round());
    if (rest != null) {
      rest.forEach(
          (member, part) -> {
            require(part, decision.members());
            changes.put(member, new WaitingChange(0, part.weight(), part.payload()));
          });
    }
    if (sum != null) {
      changes.put(lowest(added), new WaitingChange(0, weight, Payload.of(sum)));
    }
    added.clear();
    sum = null;
    weight = 0;
    return changes;
  }

  /**
   * Requires that no part of a round has come that is yet to be made.
   *
   * @throws IllegalStateException if one has: a checkpoint would lose it
   */
  void requireNone() {
    if (sum != null || waiting.values().stream().anyMatch(parts -> !parts.isEmpty())) {
      throw new IllegalStateException(
          "Block %s has parts of a round that isn't made; no checkpoint can hold them"
              .formatted(block));
    }
  }
}
