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
  private Measures sum = Measures.NONE;

  RecentMeasures(long window) {
    if (window < 1) {
      throw new IllegalArgumentException("A window covers at least one example, not " + window);
    }
    this.window = window;
  }

  void add(Measures round) {
    rounds.add(round);
    sum = sum.plus(round);
    while (sum.examples() - rounds.getFirst().examples() >= window) {
      sum = sum.minus(rounds.removeFirst());
    }
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
