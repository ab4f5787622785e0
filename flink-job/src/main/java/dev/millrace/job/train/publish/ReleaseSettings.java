package dev.millrace.job.train.publish;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.ModelSigner;
import dev.millrace.snapshot.PublicationGate;
import dev.millrace.snapshot.Retention;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where and how models are published.
 *
 * @param place that they are written to
 * @param gateOrNull what keeps worse ones from being served
 * @param retention which ones stay
 * @param listeners where else they go
 * @param streamOrNull takes what is learned between two of them
 * @param signingKeyOrNull the file with the key that signs them, where they are published
 */
public record ReleaseSettings(
    SnapshotPlace place,
    PublicationGate gateOrNull,
    Retention retention,
    List<ReleaseListener> listeners,
    ModelStream.Factory streamOrNull,
    String signingKeyOrNull)
    implements Serializable {

  public ReleaseSettings {
    listeners = List.copyOf(listeners);
  }

  Optional<PublicationGate> gate() {
    return Optional.ofNullable(gateOrNull);
  }

  /**
   * Reads the key that signs models, if there is one.
   *
   * @throws IOException if it can't be read, naming it
   */
  Optional<ModelSigner> signer() throws IOException {
    return signingKeyOrNull == null
        ? Optional.empty()
        : Optional.of(ModelSigner.of(Path.of(signingKeyOrNull)));
  }
}
