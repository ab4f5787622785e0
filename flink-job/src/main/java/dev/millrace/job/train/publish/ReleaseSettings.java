package dev.millrace.job.train.publish;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.PublicationGate;
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
    SnapshotPlace place,
    PublicationGate gateOrNull,
    Retention retention,
    List<ReleaseListener> listeners)
    implements Serializable {

  public ReleaseSettings {
    listeners = List.copyOf(listeners);
  }

  Optional<PublicationGate> gate() {
    return Optional.ofNullable(gateOrNull);
  }
}
