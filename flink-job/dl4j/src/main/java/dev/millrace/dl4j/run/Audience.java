package dev.millrace.dl4j.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.listeners.CollectScoresIterationListener;
import org.deeplearning4j.optimize.listeners.CollectScoresListener;
import org.deeplearning4j.optimize.listeners.PerformanceListener;
import org.deeplearning4j.optimize.listeners.ScoreIterationListener;
import org.deeplearning4j.optimize.listeners.SleepyTrainingListener;
import org.deeplearning4j.optimize.listeners.TimeIterationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of a network. They are told on the program's thread; one that throws stops nothing:
 * the log has it. A listener that was given twice is told once.
 *
 * <p>Not thread-safe.
 */
public final class Audience {

  private static final Logger LOG = LoggerFactory.getLogger(Audience.class);

  private static final List<Class<?>> SCORE_ONLY =
      List.of(
          ScoreOnly.class,
          ScoreIterationListener.class,
          PerformanceListener.class,
          TimeIterationListener.class,
          CollectScoresIterationListener.class,
          CollectScoresListener.class,
          SleepyTrainingListener.class);

  private final Model network;
  private final List<TrainingListener> listeners = new ArrayList<>();
  private final Set<TrainingListener> failed = Collections.newSetFromMap(new IdentityHashMap<>());

  private int iterations;

  /**
   * @param iterations those that were told before, of other jobs
   */
  public Audience(Model network, Collection<? extends TrainingListener> listeners, int iterations) {
    this.network = network;
    this.iterations = iterations;
    Set<TrainingListener> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (TrainingListener listener : listeners) {
      if (seen.add(listener)) {
        Statistics.sayOf(listener);
        this.listeners.add(listener);
      }
    }
  }

  /** Whether there is nobody to tell. */
  public boolean isEmpty() {
    return listeners.isEmpty();
  }

  /** Returns the iterations that were told, those of other jobs among them. */
  public int iterations() {
    return iterations;
  }

  /** Whether some may ask the network for more than its score. */
  boolean looksAtParameters() {
    return listeners.stream()
        .anyMatch(listener -> SCORE_ONLY.stream().noneMatch(kind -> kind.isInstance(listener)));
  }

  /** Whether some ask how many examples a network was given. */
  boolean looksAtInput() {
    return listeners.stream()
        .anyMatch(
            listener -> listener instanceof PerformanceListener || Statistics.isListener(listener));
  }

  /** Tells that an epoch begins. */
  public void epochStarts() {
    tell(listener -> listener.onEpochStart(network));
  }

  /** Tells that an epoch has ended. */
  public void epochEnds() {
    tell(listener -> listener.onEpochEnd(network));
  }

  /** Tells of one more iteration; the first is number 0. */
  void iterationDone() {
    int iteration = iterations++;
    int epoch = NetworkCounts.epochs(network);
    tell(listener -> listener.iterationDone(network, iteration, epoch));
  }

  private void tell(Consumer<TrainingListener> news) {
    for (TrainingListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException e) {
        if (failed.add(listener)) {
          LOG.error("The listener {} has failed; training goes on", listener, e);
        } else {
          LOG.warn("The listener {} has failed again: {}", listener, e.toString());
        }
      }
    }
  }
}
