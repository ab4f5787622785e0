package dev.millrace.exchange.slow;

import dev.millrace.exchange.round.Participation;
import dev.millrace.exchange.slow.Disturbance.Pause;
import java.util.ArrayList;
import java.util.List;

/** The rounds of a {@link DisturbedJob}, and how they are after each pause of a replica. */
final class RoundLog {

  private static final long NEVER = Long.MAX_VALUE;

  private record Made(long time, boolean partial) {}

  private final long period;
  private final List<Pause> pauses;
  private final List<Made> rounds = new ArrayList<>();
  private long firstEnd = NEVER;

  /** {@code period} is the time between two rounds without a disturbance. */
  RoundLog(long period, List<Pause> pauses) {
    this.period = period;
    this.pauses = pauses;
  }

  void made(long time, Participation participation) {
    rounds.add(new Made(time, participation.isPartial()));
  }

  /** A replica's input has ended: rounds lack it from now on. */
  void ended(long time) {
    firstEnd = Math.min(firstEnd, time);
  }

  int rounds() {
    return rounds.size();
  }

  /** Rounds without some replicas, while all had records. */
  long partial() {
    return rounds.stream().filter(round -> round.partial() && round.time() < firstEnd).count();
  }

  /** From the start to the last round, in nanoseconds. */
  long duration() {
    return rounds.get(rounds.size() - 1).time();
  }

  /**
   * After each pause that ends while all replicas have records for {@code least} periods or longer,
   * how many periods pass until a round is whole, and all are up to the next pause.
   */
  List<Double> periodsUntilWhole(int least) {
    List<Double> periods = new ArrayList<>();
    for (int i = 0; i < pauses.size(); i++) {
      long from = pauses.get(i).to();
      long next = i + 1 < pauses.size() ? pauses.get(i + 1).from() : NEVER;
      long to = Math.min(next, firstEnd);
      if (to >= from + least * period) {
        periods.add((double) (whole(from, to) - from) / period);
      }
    }
    return periods;
  }

  private long whole(long from, long to) {
    long whole = NEVER;
    for (Made round : rounds) {
      if (round.time() >= from && round.time() < to) {
        whole = round.partial() ? NEVER : Math.min(whole, round.time());
      }
    }
    return whole;
  }
}
