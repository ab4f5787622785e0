package dev.millrace.exchange.round;

import dev.millrace.exchange.drift.Detection;
import java.io.Serializable;

/**
 * What training is steered by beside what it is configured to.
 *
 * @param detection of drifts
 * @param reactions to them
 * @param course of learning rates
 * @param anchorEvery examples of the whole job after which replicas take the global model for their
 *     anchor, again and again; 0 for never
 */
public record SteeringRules(
    Detection detection, Reactions reactions, RateCourse course, long anchorEvery)
    implements Serializable {

  /** Training as it is configured. */
  public static final SteeringRules NONE =
      new SteeringRules(Detection.NONE, Reactions.NONE, RateCourse.NONE, 0);

  /** Whether there is anything to steer by. */
  public boolean areSome() {
    return detection.isOn() || !course.equals(RateCourse.NONE) || anchorEvery > 0;
  }
}
