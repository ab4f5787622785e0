package dev.millrace.exchange.drift;

import dev.millrace.exchange.steering.CoordinatorHook;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.exchange.steering.ExampleSignals;

/**
 * How drifts are found, and what follows from them.
 *
 * @param detection of drifts
 * @param reactions to them
 */
public record DriftRules(Detection detection, Reactions reactions)
    implements CoordinatorHookFactory {

  @Override
  public CoordinatorHook hook() {
    return new DriftSteering(this);
  }

  @Override
  public ExampleSignals signals() {
    return detection.told();
  }
}
