package dev.millrace.job.train.publish;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.Gate;
import dev.millrace.snapshot.Retention;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * Where and how models are published.
 *
 * @param place that they are written to
 * @param gateOrNull what keeps worse ones from being served
 * @param retention which ones stay
 * @param listeners where else they go
 */
public record ReleaseSettings(
    SnapshotPlace place, Gate gateOrNull, Retention retention, List<ReleaseListener> listeners)
    implements Serializable {

  public ReleaseSettings {
    listeners = List.copyOf(listeners);
  }

  Optional<Gate> gate() {
    return Optional.ofNullable(gateOrNull);
  }
}
