package dev.millrace.simulate.check;

import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.round.Phases;
import dev.millrace.simulate.job.JobOptions;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Knows whether a round may be made without some of those that it waits for: after its timeout, or
 * sooner where patience is limited, or where one that trains stays far slower than another and they
 * don't wait for each other.
 */
final class Waits {

  private static final long NEVER = -1;

  /** So many contributions in a row have to be slow. */
  private static final int CONTRIBUTIONS = 3;

  private static final int SLOWER = 3;

  private final JobOptions options;

  /** Nanoseconds a step of each replica's newest contributions, of those that train. */
  private final Map<Integer, Deque<Long>> steps = new HashMap<>();

  /** When the round had its first contribution, in milliseconds. */
  private long opened = NEVER;

  /** Whether there was a straggler since the round before was made. */
  private boolean straggler;

  Waits(JobOptions options) {
    this.options = options;
  }

  /** The coordinator hears a message. */
  void hears(CoordinatorMessage message) {
    if (message instanceof Idle || message instanceof Farewell) {
      steps.remove(message.replica());
    } else if (message instanceof Announcement announcement) {
      add(announcement.replica(), announcement.phases());
    }
    straggler |= haveStraggler();
  }

  private void add(int replica, Phases phases) {
    if (phases.steps() > 0) {
      Deque<Long> newest = steps.computeIfAbsent(replica, any -> new ArrayDeque<>());
      newest.add(phases.fit() / phases.steps());
      if (newest.size() > CONTRIBUTIONS) {
        newest.remove();
      }
    }
  }

  private boolean haveStraggler() {
    List<Long> steady =
        steps.values().stream()
            .filter(times -> times.size() == CONTRIBUTIONS)
            .map(Collections::min)
            .toList();
    return steady.size() > 1
        && Collections.max(steady) > SLOWER * Math.max(1, Collections.min(steady));
  }

  /** Whether the round has a contribution, and nobody has yet to start. */
  void open(boolean isOpen, long millis) {
    if (isOpen && opened == NEVER) {
      opened = millis;
    }
  }

  /** The round is made. */
  void closed(boolean nextIsOpen, long millis) {
    opened = nextIsOpen ? millis : NEVER;
    straggler = haveStraggler();
  }

  boolean mayBeOver(long millis) {
    return options.patience() > 0
        || (straggler && !options.schedule().waits())
        || (opened != NEVER && millis - opened >= options.timeout().toMillis());
  }

  @Override
  public String toString() {
    return "it is open since %s ms, and may wait for %s".formatted(opened, options.timeout());
  }
}
