package dev.millrace.job.join;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * The settings of a join, which travel with the job.
 *
 * @param negativesOrNull what becomes of features without a label; null to leave them out
 * @param outOfOrder how much later than later ones a partition's records may come
 * @param idleAfter for how long a partition has to have nothing before others don't wait for it;
 *     zero for ever
 */
public record JoinSettings(
    JoinBounds bounds,
    Labelling labelling,
    Negatives negativesOrNull,
    Duration outOfOrder,
    Duration idleAfter)
    implements Serializable {

  public JoinSettings {
    Objects.requireNonNull(bounds, "bounds");
    Objects.requireNonNull(labelling, "labelling");
    Objects.requireNonNull(outOfOrder, "outOfOrder");
    Objects.requireNonNull(idleAfter, "idleAfter");
  }
}
