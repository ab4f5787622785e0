package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.Minibatch;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Completes features by what the replica knows of them. Numbers are standardized by all of it: the
 * global statistics, its own contributions that aren't in them yet, and what it has seen since. The
 * global statistics say where features are clipped. Words have numbers by the global vocabularies
 * alone: a number that only this replica knew would be another word's elsewhere.
 */
final class Standardizer {

  /** Fewer examples may all be of one kind. */
  private static final long LEAST_KNOWN = 100;

  private final ExampleShape shape;

  /** Null where each example is one array of numbers, which is taken as it is. */
  private final NumberColumns numbersOrNull;

  private LearnedFeatures global;
  private final Map<Long, FeatureStatistics> underWay = new TreeMap<>();

  /** {@code none} is what the model knows before the first example. */
  Standardizer(ExampleShape shape, LearnedFeatures none) {
    this.shape = shape;
    this.global = none;
    this.numbersOrNull = NumberColumns.areAll(shape) ? null : new NumberColumns(shape);
  }

  /**
   * Whether there is anything to complete: fields have missing numbers, which nothing can learn.
   */
  boolean isOn() {
    return standardizes() || !shape.columns().isPlain();
  }

  private boolean standardizes() {
    return global.standardizes();
  }

  /**
   * Returns which feature lies too far from what is known of it, and what to do; empty if none
   * does, where features are clipped, since none can do harm then, and while there is little to
   * compare with.
   *
   * @param limit of {@link FeatureStatistics#distance}
   */
  Optional<String> farAway(FeatureStatistics fresh, double limit) {
    if (!standardizes() || global.statistics().clips()) {
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
            "feature %s has a mean of %.7g and a deviation of %.4g, known are %.7g and %.4g: that"
                + " is %.4g deviations away, and the limit is %.4g, a hundred times the guard's"
                + " largest change. Have features clipped, raise that, give differences instead of"
                + " what only grows, such as times, or train a new model on features that aren't"
                + " standardized",
            name(feature),
            fresh.mean(feature),
            fresh.deviation(feature),
            known.mean(feature),
            known.deviation(feature),
            known.distance(fresh),
            limit));
  }

  /** Names a column, with the name of its field, where it has one. */
  private String name(int column) {
    int feature = NumberColumns.feature(shape, column);
    return shape.columns().isPlain() || feature >= shape.recordFeatures()
        ? Integer.toString(feature)
        : "%s (%s)"
            .formatted(
                feature,
                FieldsDescription.ofCanonical(shape.columns().description()).names().get(feature));
  }

  /** All but those since the last contribution. */
  private FeatureStatistics contributed() {
    FeatureStatistics all = global.statistics().copy();
    underWay.values().forEach(all::merge);
    return all;
  }

  /**
   * Completes a minibatch's features in place, its numbers by themselves too. Replayed rows are
   * completed as fresh ones are, and aren't counted again.
   *
   * @param fresh what was seen since the last contribution; the minibatch is added
   * @param words that were counted since; the minibatch's are added
   */
  void apply(Minibatch minibatch, FeatureStatistics fresh, WordCounts words) {
    FeatureStatistics all = contributed();
    if (standardizes()) {
      all.merge(fresh);
      FeatureStatistics seen = look(all, minibatch);
      fresh.merge(seen);
      all.merge(seen);
    }
    count(minibatch, words);
    FeatureCompletion.of(shape, all, global.vocabularies()).apply(minibatch);
  }

  private FeatureStatistics look(FeatureStatistics all, Minibatch minibatch) {
    if (numbersOrNull == null) {
      return all.look(minibatch.features(), minibatch.fresh());
    }
    int rows =
        numbersOrNull.gather(minibatch.features(), minibatch.stepsOrNull(), minibatch.fresh());
    return all.lookAtPresent(numbersOrNull.values(), rows);
  }

  private void count(Minibatch minibatch, WordCounts words) {
    int columns = words.columns();
    for (int row = 0; row < minibatch.fresh() && columns > 0; row++) {
      int from = row * shape.words();
      int present = shape.structure().isSequence() ? minibatch.steps(row) : 1;
      for (int i = 0; i < present * columns; i++) {
        words.add(i % columns, minibatch.words()[from + i]);
      }
    }
  }

  void contributed(long sequence, FeatureStatistics statistics) {
    if (standardizes()) {
      underWay.put(sequence, statistics);
    }
  }

  void accept(RoundHead head, Standing standing) {
    global = head.learned();
    underWay.keySet().removeIf(sequence -> sequence <= standing.included());
  }

  LearnedFeatures global() {
    return global;
  }

  /**
   * Returns the statistics of contributions that the global ones don't include yet, by sequence.
   */
  Map<Long, FeatureStatistics> underWay() {
    return underWay;
  }

  void restore(LearnedFeatures savedGlobal, Map<Long, FeatureStatistics> savedUnderWay) {
    global = savedGlobal;
    underWay.clear();
    underWay.putAll(savedUnderWay);
  }
}
