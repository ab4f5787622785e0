package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Minibatch;
import java.util.Map;
import java.util.TreeMap;

/**
 * Standardizes features by all that the replica knows of them: the global statistics, its own
 * contributions that aren't in them yet, and what it has seen since.
 */
final class Standardizer {

  /** Fewer examples may all be of one kind. */
  private static final long LEAST_KNOWN = 100;

  private FeatureStatistics global;
  private final Map<Long, FeatureStatistics> underWay = new TreeMap<>();

  Standardizer(int features) {
    this.global = new FeatureStatistics(features);
  }

  boolean isOn() {
    return global.features() > 0;
  }

  /** See {@link FeatureStatistics#distance}; 0 while there is little to compare with. */
  double distance(FeatureStatistics fresh) {
    FeatureStatistics known = contributed();
    return known.count() < LEAST_KNOWN ? 0 : known.distance(fresh);
  }

  /** All but those since the last contribution. */
  private FeatureStatistics contributed() {
    FeatureStatistics all = global.copy();
    underWay.values().forEach(all::merge);
    return all;
  }

  void apply(Minibatch minibatch, FeatureStatistics fresh) {
    FeatureStatistics all = contributed();
    all.merge(fresh);
    all.standardization().apply(minibatch.features(), minibatch.size());
  }

  void contributed(long sequence, FeatureStatistics statistics) {
    if (isOn()) {
      underWay.put(sequence, statistics);
    }
  }

  void accept(RoundHead head, int replica) {
    global = head.statistics();
    underWay.keySet().removeIf(sequence -> sequence <= head.included().of(replica));
  }

  FeatureStatistics global() {
    return global;
  }

  /** By sequence, the statistics of contributions that the global ones don't include yet. */
  Map<Long, FeatureStatistics> underWay() {
    return underWay;
  }

  void restore(FeatureStatistics savedGlobal, Map<Long, FeatureStatistics> savedUnderWay) {
    global = savedGlobal;
    underWay.clear();
    underWay.putAll(savedUnderWay);
  }
}
