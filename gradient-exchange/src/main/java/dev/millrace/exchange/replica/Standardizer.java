package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Minibatch;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Standardizes features by all that the replica knows of them: the global statistics, its own
 * contributions that aren't in them yet, and what it has seen since. The global statistics say
 * where features are clipped.
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

  /**
   * Which feature lies too far from what is known of it, and what to do; empty if none does, where
   * features are clipped, since none can do harm then, and while there is little to compare with.
   *
   * @param limit of {@link FeatureStatistics#distance}
   */
  Optional<String> farAway(FeatureStatistics fresh, double limit) {
    if (global.clips()) {
      return Optional.empty();
    }
    FeatureStatistics known = contributed();
    if (known.count() < LEAST_KNOWN || known.distance(fresh) <= limit) {
      return Optional.empty();
    }
    int feature = known.farthest(fresh);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "feature %d has a mean of %.7g and a deviation of %.4g, known are %.7g and %.4g: that"
                + " is %.4g deviations away, and the limit is %.4g, a hundred times the guard's"
                + " largest change. Have features clipped, raise that, give differences instead of"
                + " what only grows, such as times, or train a new model on features that aren't"
                + " standardized",
            feature,
            fresh.mean(feature),
            fresh.deviation(feature),
            known.mean(feature),
            known.deviation(feature),
            known.distance(fresh),
            limit));
  }

  /** All but those since the last contribution. */
  private FeatureStatistics contributed() {
    FeatureStatistics all = global.copy();
    underWay.values().forEach(all::merge);
    return all;
  }

  /**
   * Standardizes a minibatch's features in place, by themselves too.
   *
   * @param fresh what was seen since the last contribution; the minibatch is added
   */
  void apply(Minibatch minibatch, FeatureStatistics fresh) {
    FeatureStatistics all = contributed();
    all.merge(fresh);
    FeatureStatistics seen = all.look(minibatch.features(), minibatch.size());
    fresh.merge(seen);
    all.merge(seen);
    all.standardization().apply(minibatch.features(), minibatch.size());
  }

  void contributed(long sequence, FeatureStatistics statistics) {
    if (isOn()) {
      underWay.put(sequence, statistics);
    }
  }

  void accept(RoundHead head, Standing standing) {
    global = head.statistics();
    underWay.keySet().removeIf(sequence -> sequence <= standing.included());
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
