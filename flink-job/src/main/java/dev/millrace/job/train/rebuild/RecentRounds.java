package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * Keeps what replicas may yet be told: heads and blocks of rounds.
 *
 * <p>Not thread-safe.
 */
final class RecentRounds {

  /** A head, and what it said of each replica. */
  record Head(RoundHead head, List<Standing> standings) {}

  private final Map<Long, Head> heads = new HashMap<>();
  private final Map<Integer, Map<Long, BlockUpdate>> blocks = new HashMap<>();

  void add(Head head) {
    heads.put(head.head().round(), head);
  }

  void add(long round, BlockUpdate update) {
    blocks.computeIfAbsent(update.block(), any -> new HashMap<>()).put(round, update);
  }

  /** Returns the head of that round. */
  Head head(long round) {
    return require(heads.get(round), "the head", round);
  }

  /** Returns a block as that round left it. */
  BlockUpdate block(int block, long round) {
    return require(blocks.getOrDefault(block, Map.of()).get(round), "block " + block, round);
  }

  /** Returns each block as its newest round left it. */
  Stream<BlockUpdate> newestBlocks() {
    return blocks.values().stream()
        .map(updates -> Collections.max(updates.entrySet(), Map.Entry.comparingByKey()).getValue());
  }

  private static <T> T require(T found, String what, long round) {
    if (found == null) {
      throw new UnusableLogException(
          "A replica was told %s of round %s, and there is none; begin at an older state, or at the start"
              .formatted(what, round));
    }
    return found;
  }

  /** Lets go of rounds that nobody asks for any more. */
  void keep(LongPredicate asked) {
    heads.keySet().removeIf(round -> !asked.test(round));
    blocks.values().forEach(updates -> updates.keySet().removeIf(round -> !asked.test(round)));
  }
}
