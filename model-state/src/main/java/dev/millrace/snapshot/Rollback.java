package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Puts an older snapshot back, and holds it: the job goes on to publish, and what it publishes
 * isn't served until a person {@linkplain #release lets go}.
 */
public final class Rollback {

  private final SnapshotStore store;
  private final SnapshotCatalog catalog;

  public Rollback(SnapshotStore store) {
    this.store = store;
    this.catalog = new SnapshotCatalog(store);
  }

  /**
   * Points all readers at {@code version}; those of committed models, too, if there are any.
   *
   * @throws IOException if there is no such snapshot, naming those that there are; if it isn't
   *     committed, and others are
   */
  public SnapshotDescription to(ModelVersion version) throws IOException {
    Optional<SnapshotDescription> target = catalog.find(version);
    if (target.isEmpty()) {
      throw new IOException(
          "There is no model %s in %s; it has %s"
              .formatted(version, store.locate(""), listed(catalog.versions())));
    }
    Pointer held = pointerTo(target.get()).held(true);
    if (target.get().state() == SnapshotState.COMMITTED) {
      point(Pointer.COMMITTED, held);
    } else if (catalog.pointer(Pointer.COMMITTED).isPresent()) {
      throw new IOException(
          ("Model %s isn't committed: no checkpoint covers it, and readers of %s would be given it."
                  + " Choose one whose description says \"state\":\"committed\"")
              .formatted(version, Pointer.COMMITTED));
    }
    point(Pointer.LATEST, held);
    return target.get();
  }

  /**
   * Lets the job's models be served again: at once the newest that may be, later ones as they come.
   *
   * @throws IOException if nothing is held
   */
  public SnapshotDescription release() throws IOException {
    if (catalog.pointer(Pointer.LATEST).filter(Pointer::held).isEmpty()) {
      throw new IOException("No model is held in " + store.locate(""));
    }
    SnapshotDescription latest =
        newest(SnapshotDescription::mayBeServed)
            .orElseThrow(
                () -> new IOException("No model in %s may be served".formatted(store.locate(""))));
    Optional<SnapshotDescription> committed =
        newest(any -> any.mayBeServed() && any.state() == SnapshotState.COMMITTED);
    if (committed.isPresent()) {
      point(Pointer.COMMITTED, pointerTo(committed.get()));
    } else {
      store.delete(Pointer.COMMITTED);
    }
    point(Pointer.LATEST, pointerTo(latest));
    return latest;
  }

  private Optional<SnapshotDescription> newest(Predicate<SnapshotDescription> wanted)
      throws IOException {
    List<ModelVersion> versions = List.copyOf(catalog.versions());
    for (int i = versions.size() - 1; i >= 0; i--) {
      Optional<SnapshotDescription> snapshot = catalog.find(versions.get(i)).filter(wanted);
      if (snapshot.isPresent()) {
        return snapshot;
      }
    }
    return Optional.empty();
  }

  private static Pointer pointerTo(SnapshotDescription snapshot) {
    return Pointer.to(new SnapshotName(snapshot.version()));
  }

  private void point(String pointer, Pointer target) throws IOException {
    store.put(pointer, file -> Files.writeString(file, target.toJson()));
  }

  private static String listed(Collection<ModelVersion> versions) {
    return versions.isEmpty()
        ? "none"
        : versions.stream().map(ModelVersion::toString).collect(Collectors.joining(", "));
  }
}
