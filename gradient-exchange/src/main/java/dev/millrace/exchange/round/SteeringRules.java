package dev.millrace.exchange.round;

import dev.millrace.exchange.drift.Detection;
import java.io.Serializable;

/**
 * What training is steered by beside what it is configured to.
 *
 * @param detection of drifts
 * @param reactions to them
 */
public record SteeringRules(Detection detection, Reactions reactions) implements Serializable {

  /** Training as it is configured. */
  public static final SteeringRules NONE = new SteeringRules(Detection.NONE, Reactions.NONE);

  /** Whether there is anything to steer by. */
  public boolean areSome() {
    return detection.isOn();
  }
}
