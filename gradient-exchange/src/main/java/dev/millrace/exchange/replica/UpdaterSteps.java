package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Steps;

/** How many steps are behind the updater's state of a model that a job starts from. */
final class UpdaterSteps {

  private UpdaterSteps() {}

  /**
   * None, where the state is zero, as of an archive that has none: Adam without moments, told of
   * many steps, would correct no bias, and step up to 6.5 times too far.
   */
  static Steps of(InitialModel initial) {
    float[] vector = initial.vector();
    for (int i = initial.spec().parameters(); i < vector.length; i++) {
      if (vector[i] != 0) {
        return Steps.of(initial.iteration());
      }
    }
    return new Steps(initial.iteration(), 0);
  }

  /** Moments that come with the global model have seen its steps; a replica's own, its own. */
  static void take(ReplicaParts replica, RoundHead head) {
    if (replica.vector().exchangesUpdaterState()) {
      Steps made = replica.model().steps();
      replica
          .model()
          .setSteps(new Steps(made.iteration(), Math.max(made.ofUpdater(), head.updaterSteps())));
    }
  }
}
