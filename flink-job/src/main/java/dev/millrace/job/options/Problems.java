package dev.millrace.job.options;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import java.util.function.Supplier;

/** What is done with each problem that the steps of a set-up find. */
@FunctionalInterface
public interface Problems {

  /** The first one ends the set-up. */
  Problems THROWN =
      problem -> {
        throw problem;
      };

  void add(RuntimeException problem);

  /** The result of a step; null where it has a problem. */
  default <T> T attempt(Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidOptionsException
        | InvalidModelException
        | UnusableEngineException
        | KafkaAccessException e) {
      add(e);
      return null;
    }
  }

  /** A step without a result. */
  default void attempt(Runnable step) {
    attempt(
        () -> {
          step.run();
          return true;
        });
  }
}
