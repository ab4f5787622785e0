package dev.millrace.exchange.replay;

import java.util.Comparator;
import java.util.stream.IntStream;

/** See {@link Keep#RECENT}. */
final class Recent implements KeepRule {

  /**
   * All rows, the oldest first when this was made. Each row that is replaced is the newest then: so
   * the same order goes round and round. Null while it has yet to be found out.
   */
  private int[] turnsOrNull;

  private int next;

  @Override
  public int place(ReplayRows rows, long seen, int label, SplitMixRandom draws) {
    if (rows.size() < rows.capacity()) {
      return rows.size();
    }
    if (turnsOrNull == null) {
      turnsOrNull = oldestFirst(rows);
      next = 0;
    }
    int row = turnsOrNull[next];
    next = (next + 1) % turnsOrNull.length;
    return row;
  }

  @Override
  public void left() {
    turnsOrNull = null;
  }

  @Override
  public void choose(
      ReplayRows rows, double[] shares, int room, SplitMixRandom draws, boolean[] stays) {
    int[] order = oldestFirst(rows);
    for (int i = order.length - room; i < order.length; i++) {
      stays[order[i]] = true;
    }
  }

  private static int[] oldestFirst(ReplayRows rows) {
    return IntStream.range(0, rows.size())
        .boxed()
        .sorted(Comparator.comparingLong(rows::came))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
