package dev.millrace.exchange.aggregate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The members whose changes are nearest to those of the others (Blanchard et al. 2017): a member's
 * score is the sum of squared distances to its {@code n − f − 2} nearest others, where f of n
 * members are taken for faulty. Distances are of the values that are combined together, so each
 * block chooses for itself.
 *
 * <p>It takes time with the square of the members.
 *
 * @param share of the members that are taken for faulty; rounded down, and so that {@code n ≥ 2 f +
 *     3}, without which the method guarantees nothing
 * @param one whether the member with the lowest score counts alone, or the mean of all but the f
 *     highest
 */
record Krum(double share, boolean one) implements Aggregator {

  Krum {
    if (!(share >= 0 && share <= 0.5)) {
      throw new IllegalArgumentException(
          "Krum takes a share from 0 to 0.5 for faulty, not " + share);
    }
  }

  @Override
  public void aggregate(float[][] changes, double[] weights, int from, int to, float[] result) {
    int members = weights.length;
    int faulty = Math.min((int) (share * members), Math.max(0, members - 3) / 2);
    double[] scores = scores(changes, members, members - faulty - 2, from, to);
    int[] chosen =
        IntStream.range(0, members)
            .boxed()
            .sorted(Comparator.comparingDouble(member -> scores[member]))
            .limit(one ? 1 : members - faulty)
            .mapToInt(member -> member)
            .sorted()
            .toArray();
    Arrays.fill(result, from, to, 0f);
    for (int member : chosen) {
      float[] change = changes[member];
      for (int i = from; i < to; i++) {
        result[i] += change[i];
      }
    }
    for (int i = from; i < to; i++) {
      result[i] /= chosen.length;
    }
  }

  private static double[] scores(float[][] changes, int members, int neighbours, int from, int to) {
    double[] scores = new double[members];
    for (int member = 0; member < members; member++) {
      double[] distances = new double[members];
      for (int other = 0; other < members; other++) {
        distances[other] = squaredDistance(changes[member], changes[other], from, to);
      }
      Arrays.sort(distances);
      // The nearest is the member itself.
      scores[member] = Arrays.stream(distances, 0, Math.max(0, neighbours) + 1).sum();
    }
    return scores;
  }

  private static double squaredDistance(float[] one, float[] other, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      double difference = (double) one[i] - other[i];
      sum += difference * difference;
    }
    return sum;
  }
}
