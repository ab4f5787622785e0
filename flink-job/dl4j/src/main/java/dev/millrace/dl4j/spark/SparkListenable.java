package dev.millrace.dl4j.spark;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.optimize.api.TrainingListener;

/** Has listeners told of training, in the program's process. */
@PublicEvolving
public abstract sealed class SparkListenable permits SparkTrainable {

  private List<TrainingListener> listeners = List.of();

  SparkListenable() {}

  List<TrainingListener> listeners() {
    return listeners;
  }

  /** Has listeners told of rounds, as iterations. */
  public final void setListeners(Collection<TrainingListener> told) {
    listeners = List.copyOf(told);
  }

  /** Has listeners told of rounds, as iterations. */
  public final void setListeners(TrainingListener... told) {
    setListeners(Arrays.asList(told));
  }

  /** Has listeners told of rounds, as iterations; the router gets nothing. */
  public final void setListeners(Object router, TrainingListener... told) {
    StatsRouters.say(router);
    setListeners(told);
  }

  /** Has listeners told of rounds, as iterations; the router gets nothing. */
  public final void setListeners(Object router, Collection<? extends TrainingListener> told) {
    StatsRouters.say(router);
    listeners = List.copyOf(told);
  }
}
