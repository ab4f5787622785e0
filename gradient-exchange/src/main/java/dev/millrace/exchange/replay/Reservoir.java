package dev.millrace.exchange.replay;

import java.util.Arrays;

/** See {@link Keep#RESERVOIR}. */
final class Reservoir implements KeepRule {

  @Override
  public int place(ReplayRows rows, long seen, int label, SplitMixRandom draws) {
    long row = draws.longBelow(seen);
    if (row >= rows.capacity()) {
      return NOWHERE;
    }
    // Room that a rescale or a refusal has left is filled no faster: else by the newest alone.
    return rows.size() < rows.capacity() ? rows.size() : (int) row;
  }

  /**
   * A row that stands for more examples stays the likelier. Efraimidis and Spirakis, "Weighted
   * random sampling with a reservoir", 2006.
   */
  @Override
  public void choose(
      ReplayRows rows, double[] shares, int room, SplitMixRandom draws, boolean[] stays) {
    double[] keys = new double[rows.size()];
    for (int row = 0; row < keys.length; row++) {
      keys[row] = Math.log(draws.unit()) / shares[row];
    }
    double[] sorted = keys.clone();
    Arrays.sort(sorted);
    double least = sorted[keys.length - room];
    int left = room;
    for (int row = 0; row < keys.length && left > 0; row++) {
      stays[row] = keys[row] >= least;
      left -= stays[row] ? 1 : 0;
    }
  }
}
