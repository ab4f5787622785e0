package dev.millrace.exchange;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.Decision;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The rounds of a {@link Simulation}, and what the moving average over them is by a plain loop in
 * double. After a failure, what is made again replaces what was made before.
 */
final class RoundHistory {

  private record Sent(int block, int replica, long sequence) {}

  private record Made(int block, long round) {}

  private final Map<Sent, Double> weights = new HashMap<>();
  private final Map<Made, BitSet> members = new HashMap<>();
  private final Map<Made, float[]> values = new HashMap<>();

  void contributed(Contribution contribution) {
    weights.put(
        new Sent(contribution.block(), contribution.replica(), contribution.sequence()),
        contribution.weight());
  }

  void decided(Decision decision) {
    members.put(new Made(decision.block(), decision.round()), decision.members());
  }

  void made(BlockUpdate update) {
    values.put(new Made(update.block(), update.round()), update.values().clone());
  }

  /** What a block was after that round. */
  float[] values(int block, long round) {
    return values.get(new Made(block, round));
  }

  /** Over the first {@code rounds} rounds of a block. */
  double[] average(int block, long rounds, float[] initial, double halfLife) {
    double[] average = new double[initial.length];
    for (int i = 0; i < average.length; i++) {
      average[i] = initial[i];
    }
    Map<Integer, Long> taken = new HashMap<>();
    double all = 0;
    for (long round = 1; round <= rounds; round++) {
      double examples = 0;
      for (int replica : members.get(new Made(block, round)).stream().toArray()) {
        long sequence = taken.merge(replica, 1L, Long::sum);
        examples += weights.get(new Sent(block, replica, sequence));
      }
      all += examples;
      double decay = Math.pow(0.5, examples / Math.min(halfLife, all / 10));
      float[] newest = values.get(new Made(block, round));
      for (int i = 0; i < average.length; i++) {
        average[i] = decay * average[i] + (1 - decay) * newest[i];
      }
    }
    return average;
  }
}
