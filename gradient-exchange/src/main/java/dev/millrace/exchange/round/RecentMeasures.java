package dev.millrace.exchange.round;

import dev.millrace.model.Measures;
import dev.millrace.model.score.ScoreCounter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures over a sliding window: as many of the newest rounds as it takes to cover a number of
 * examples.
 */
final class RecentMeasures {

  private final long window;
  private final Deque<Measures> rounds = new ArrayDeque<>();
  private long examples;
  private final ScoreCounter scores = new ScoreCounter();

  /** All but the scores. */
  private Measures others = Measures.NONE;

  /** Null where a round has come since it was asked for. */
  private Measures sum = Measures.NONE;

  RecentMeasures(long window) {
    if (window < 1) {
      throw new IllegalArgumentException("A window covers at least one example, not " + window);
    }
    this.window = window;
  }

  void add(Measures round) {
    rounds.add(round);
    examples += round.examples();
    scores.add(round.scores());
    boolean slid = false;
    while (examples - rounds.getFirst().examples() >= window) {
      Measures oldest = rounds.removeFirst();
      examples -= oldest.examples();
      scores.subtract(oldest.scores());
      slid = true;
    }
    // Anew rather than by subtraction, which would keep the rounding errors of a huge loss, and
    // NaN. Counts of scores have none.
    others =
        slid
            ? rounds.stream().map(Measures::withoutScores).reduce(Measures.NONE, Measures::plus)
            : others.plus(round.withoutScores());
    sum = null;
  }

  Measures sum() {
    if (sum == null) {
      sum = others.withScores(scores.counts());
    }
    return sum;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(rounds.size());
    for (Measures round : rounds) {
      Measures.WIRE.write(round, out);
    }
  }

  static RecentMeasures read(DataInput in, long window) throws IOException {
    RecentMeasures recent = new RecentMeasures(window);
    for (int left = in.readInt(); left > 0; left--) {
      recent.add(Measures.WIRE.read(in));
    }
    return recent;
  }
}
