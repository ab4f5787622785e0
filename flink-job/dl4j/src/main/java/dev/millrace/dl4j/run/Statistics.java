package dev.millrace.dl4j.run;

import dev.millrace.dl4j.options.NoMeaning;
import org.deeplearning4j.optimize.api.TrainingListener;

/** DL4J's statistics for its web page. Their classes needn't be on the class path. */
public final class Statistics {

  private static final String PACKAGE = "org.deeplearning4j.ui.model.stats.";

  private Statistics() {}

  static boolean isListener(TrainingListener listener) {
    for (Class<?> kind = listener.getClass(); kind != null; kind = kind.getSuperclass()) {
      if (kind.getName().startsWith(PACKAGE)) {
        return true;
      }
    }
    return false;
  }

  /** Says in the log, once, what such listeners and their storage see here. */
  public static void say(String what) {
    NoMeaning.say(
        what,
        "gradients and activations stay in the replicas, so it sees scores and parameters; watch(FILE) of"
            + " the builder keeps what `millrace watch --metrics FILE` draws: scores, rounds,"
            + " layers, lag");
  }

  /** Says so where a listener is of that kind. */
  static void sayOf(TrainingListener listener) {
    if (isListener(listener)) {
      say(listener.getClass().getSimpleName());
    }
  }
}
