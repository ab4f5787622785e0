package dev.millrace.benchmark.peer;

import java.util.Map;
import java.util.TreeMap;

/** The peers by the names that the command line has for them. */
final class Peers {

  private static final Map<String, Training> TRAININGS =
      new TreeMap<>(
          Map.of(
              "plain-fit",
              new PlainFit(),
              "parallel-wrapper",
              ParallelWrapperTraining.averaging()));

  private Peers() {}

  /**
   * @throws IllegalArgumentException if there is none of this name
   */
  static Peer named(String name) {
    return switch (name) {
      case "parallel-wrapper-shared-gradients" ->
          new TimedTraining(ParallelWrapperTraining.sharedGradients());
      case "limit" -> Limit.dl4j();
      case "torch-fit" -> Limit.torch(1);
      case "torch-limit" -> Limit.torch(2);
      default -> {
        if (!TRAININGS.containsKey(name)) {
          throw new IllegalArgumentException(
              ("There is no peer '%s'; there are %s, parallel-wrapper-shared-gradients, limit,"
                      + " torch-fit and torch-limit")
                  .formatted(name, String.join(", ", TRAININGS.keySet())));
        }
        yield new TimedTraining(TRAININGS.get(name));
      }
    };
  }

  /**
   * One that leaves a single network to evaluate.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  static Training accuracyOf(String name) {
    if (!TRAININGS.containsKey(name)) {
      throw new IllegalArgumentException(
          "The accuracy of '%s' is not measured, only that of %s"
              .formatted(name, String.join(" and ", TRAININGS.keySet())));
    }
    return TRAININGS.get(name);
  }
}
