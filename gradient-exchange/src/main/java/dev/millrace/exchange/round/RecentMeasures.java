package dev.millrace.exchange.round;

import dev.millrace.model.Measures;
import dev.millrace.model.score.ScoreCounter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Measures over a sliding window: as many of the newest rounds as it takes to cover a number of
 * examples.
 *
 * <p>The sum is never made by subtraction, which would keep the rounding errors of a huge loss, and
 * NaN. It is that of two stacks, so a round takes a constant number of additions in the mean: the
 * newer rounds have one sum, each older round has one of itself and of the older ones after it.
 * Once no older one is left, the newer ones become older.
 */
final class RecentMeasures {

  /**
   * One that leaves the window before all newer ones do.
   *
   * @param sum of it and of the older rounds after it, without scores
   */
  private record Older(Measures round, Measures sum) {}

  private final long window;

  /** The oldest first. */
  private final Deque<Older> older = new ArrayDeque<>();

  private final List<Measures> newer = new ArrayList<>();
  private Measures sumOfNewer = Measures.NONE;

  private long examples;

  /** Counts, which subtraction leaves exact. */
  private final ScoreCounter scores = new ScoreCounter();

  /** Null where a round has come since it was asked for. */
  private Measures sum = Measures.NONE;

  RecentMeasures(long window) {
    if (window < 1) {
      throw new IllegalArgumentException("A window covers at least one example, not " + window);
    }
    this.window = window;
  }

  void add(Measures round) {
    append(round);
    slide();
  }

  private void append(Measures round) {
    newer.add(round);
    sumOfNewer = sumOfNewer.plus(round.withoutScores());
    examples += round.examples();
    scores.add(round.scores());
    sum = null;
  }

  private void slide() {
    while (examples > 0 && examples - oldest().examples() >= window) {
      removeOldest();
    }
  }

  private Measures oldest() {
    return older.isEmpty() ? newer.get(0) : older.getFirst().round();
  }

  private void removeOldest() {
    if (older.isEmpty()) {
      turn();
    }
    Measures oldest = older.removeFirst().round();
    examples -= oldest.examples();
    scores.subtract(oldest.scores());
  }

  /** Makes the newer rounds the older ones, where there are none. */
  private void turn() {
    for (int i = newer.size() - 1; i >= 0; i--) {
      Measures round = newer.get(i);
      older.addFirst(new Older(round, round.withoutScores().plus(sumOfOlder())));
    }
    newer.clear();
    sumOfNewer = Measures.NONE;
  }

  private Measures sumOfOlder() {
    return older.isEmpty() ? Measures.NONE : older.getFirst().sum();
  }

  Measures sum() {
    if (sum == null) {
      sum = sumOfOlder().plus(sumOfNewer).withScores(scores.counts());
    }
    return sum;
  }

  /** Writes which rounds are the older ones, too: sums are the same to the bit once it is read. */
  void write(DataOutput out) throws IOException {
    out.writeInt(older.size());
    for (Older each : older) {
      Measures.WIRE.write(each.round(), out);
    }
    out.writeInt(newer.size());
    for (Measures round : newer) {
      Measures.WIRE.write(round, out);
    }
  }

  static RecentMeasures read(DataInput in, long window) throws IOException {
    RecentMeasures recent = new RecentMeasures(window);
    recent.appendAll(in);
    recent.turn();
    recent.appendAll(in);
    // The window may have been greater.
    recent.slide();
    return recent;
  }

  private void appendAll(DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      append(Measures.WIRE.read(in));
    }
  }
}
