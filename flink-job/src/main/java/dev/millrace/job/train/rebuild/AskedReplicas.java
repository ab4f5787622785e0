package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogPlayer;
import dev.millrace.exchange.log.LoggedDeeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Knows until when something is asked of each replica of each attempt. One that has nothing to read
 * contributes nothing, so nobody may ask for it before the end, or at all.
 */
final class AskedReplicas {

  private record OfAttempt(long generation, int replica) {}

  private final Map<OfAttempt, Integer> last = new HashMap<>();

  /** Generations of attempts, by those of the attempts behind them. */
  private final Map<Long, Long> before = new HashMap<>();

  private final int blocks;

  private AskedReplicas(int blocks) {
    this.blocks = blocks;
  }

  /**
   * Looks through what is to be done.
   *
   * @param generation of the attempt that this begins with; that of the first start, if it begins
   *     with one
   * @param tail what is done behind all entries
   * @param blocks of the model
   */
  static AskedReplicas of(long generation, List<LogEntry> entries, Tail tail, int blocks) {
    AskedReplicas asked = new AskedReplicas(blocks);
    long attempt = generation;
    for (int at = 0; at < entries.size(); at++) {
      LogEntry entry = entries.get(at);
      if (entry instanceof LogEntry.Start start) {
        if (start.version().generation() != attempt) {
          asked.before.put(start.version().generation(), attempt);
        }
        attempt = start.version().generation();
      } else if (entry instanceof LogEntry.Round round) {
        asked.askAll(round.members(), at);
      }
    }
    asked.askAll(tail.underWay(), entries.size());
    for (var pending : tail.pending().entrySet()) {
      asked.ask(attempt, pending.getKey(), pending.getValue(), entries.size());
    }
    return asked;
  }

  private void askAll(List<LogEntry.Contributed> members, int by) {
    members.forEach(member -> ask(member.generation(), member.replica(), member.log(), by));
  }

  private void ask(long generation, int replica, String log, int by) {
    last.merge(new OfAttempt(generation, replica), by, Math::max);
    LoggedDeeds asking =
        new LoggedDeeds() {
          @Override
          public void before(int other, String done) {
            Long earlier = before.get(generation);
            if (earlier != null) {
              ask(earlier, other, done, by);
            }
          }
        };
    new LogPlayer(blocks, asking).play(log);
  }

  /** Whether something is asked of a replica behind the entry of that place. */
  boolean isAskedBehind(int place, long generation, int replica) {
    return last.getOrDefault(new OfAttempt(generation, replica), -1) > place;
  }
}
