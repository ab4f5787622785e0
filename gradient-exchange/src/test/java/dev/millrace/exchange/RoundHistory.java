package dev.millrace.exchange;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.Decision;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The rounds of a {@link Simulation}, and what the moving average over them is by a plain loop in
 * double. A failure takes it back to the newest checkpoint.
 */
final class RoundHistory {

  private record Sender(int block, int replica) {}

  private record Made(int block, long round) {}

  /** By sequence. */
  private Map<Sender, NavigableMap<Long, Double>> weights = new HashMap<>();

  private Map<Sender, NavigableMap<Long, Double>> savedWeights = new HashMap<>();
  private final Map<Made, BitSet> members = new HashMap<>();
  private final Map<Made, float[]> values = new HashMap<>();

  void contributed(Contribution contribution) {
    weights
        .computeIfAbsent(
            new Sender(contribution.block(), contribution.replica()), any -> new TreeMap<>())
        .put(contribution.sequence(), contribution.weight());
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

  void save() {
    savedWeights = copy(weights);
  }

  void restore() {
    weights = copy(savedWeights);
  }

  private static Map<Sender, NavigableMap<Long, Double>> copy(
      Map<Sender, NavigableMap<Long, Double>> weights) {
    Map<Sender, NavigableMap<Long, Double>> copy = new HashMap<>();
    weights.forEach((sender, bySequence) -> copy.put(sender, new TreeMap<>(bySequence)));
    return copy;
  }

  /** The numbers of the replicas that each round of a block had; empty where it had none. */
  List<BitSet> members(int block, long rounds) {
    List<BitSet> all = new ArrayList<>();
    for (long round = 1; round <= rounds; round++) {
      all.add(members.get(new Made(block, round)));
    }
    return all;
  }

  /** Of the first {@code rounds} rounds of a block. */
  double examples(int block, long rounds) {
    return byRound(block, rounds).values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Of the rounds that have members, in their order. */
  private Map<Long, Double> byRound(int block, long rounds) {
    Map<Integer, Iterator<Double>> next = new HashMap<>();
    Map<Long, Double> examples = new TreeMap<>();
    for (long round = 1; round <= rounds; round++) {
      for (int replica : members.get(new Made(block, round)).stream().toArray()) {
        double weight =
            next.computeIfAbsent(
                    replica, any -> weights.get(new Sender(block, any)).values().iterator())
                .next();
        examples.merge(round, weight, Double::sum);
      }
    }
    return examples;
  }

  /** Over the first {@code rounds} rounds of a block. */
  double[] average(int block, long rounds, float[] initial, double halfLife) {
    double[] average = new double[initial.length];
    for (int i = 0; i < average.length; i++) {
      average[i] = initial[i];
    }
    double all = 0;
    for (var round : byRound(block, rounds).entrySet()) {
      double examples = round.getValue();
      all += examples;
      double decay = Math.pow(0.5, examples / Math.min(halfLife, all / 10));
      float[] newest = values.get(new Made(block, round.getKey()));
      for (int i = 0; i < average.length; i++) {
        average[i] = decay * average[i] + (1 - decay) * newest[i];
      }
    }
    return average;
  }
}
