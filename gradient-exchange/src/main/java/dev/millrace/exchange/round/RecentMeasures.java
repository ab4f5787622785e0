package dev.millrace.exchange.round;

import dev.millrace.model.Measures;
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
    boolean slid = false;
    while (examples - rounds.getFirst().examples() >= window) {
      examples -= rounds.removeFirst().examples();
      slid = true;
    }
    // Anew rather than by subtraction, which would keep the rounding errors of a huge loss, and
    // NaN.
    sum = slid ? rounds.stream().reduce(Measures.NONE, Measures::plus) : sum.plus(round);
  }

  Measures sum() {
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
