package dev.millrace.simulate;

import dev.millrace.simulate.time.Chance;
import java.util.Locale;

/**
 * Something that is done to a job.
 *
 * @param number of it in its run
 * @param time when, in microseconds
 * @param target which process, task or edge, by chance
 * @param length how long, in microseconds, where it lasts
 */
record Fault(int number, long time, Kind kind, int target, long length) {

  /** Returns it in words. */
  String words() {
    return String.format(
        Locale.ROOT,
        "%s at %.1f s",
        kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        time / 1e6);
  }

  /** What is done. */
  enum Kind {
    KILL_PROCESS(3),
    ISOLATE_PROCESS(2),
    LOSE_JOB_MANAGER(2),
    OUTAGE(4),
    THROW_IN_STEP(2),
    THROW_IN_CONTRIBUTION(2),
    THROW_IN_FEEDBACK(2),
    THROW_IN_COORDINATOR(2),
    THROW_IN_DECISION(2),
    THROW_IN_EXCHANGE(2),
    THROW_IN_GATHERER(1),
    STALL_TASK(16),
    DELAY_EDGE(16),
    ABORT_CHECKPOINT(8),
    FAIL_WRITES(4),
    SLOW_WRITES(6),
    TELL_LATE(5),
    TELL_SOME(5),
    STOP_BROKER(6),
    SLOW_STORE(5),
    FAIL_STORE(5),
    STOP_WITHOUT_DRAIN(6),
    DRAIN(1),
    RESUBMIT(2),
    ROLL_BACK(1),
    SECOND_WRITER(1),
    SUBMIT_TWICE(2),
    PUT_BACK(3);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    private static final int ALL;

    static {
      int sum = 0;
      for (Kind kind : values()) {
        sum += kind.weight;
      }
      ALL = sum;
    }

    static Kind draw(Chance chance) {
      int left = chance.below(ALL);
      for (Kind kind : values()) {
        left -= kind.weight;
        if (left < 0) {
          return kind;
        }
      }
      throw new IllegalStateException("Weights are positive");
    }
  }
}
