package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
   * Has all readers served {@code version}; those of committed models, too, if there are any.
   *
   * @throws IOException if there is no such snapshot, naming those that there are; if it isn't
   *     committed, and others are. What was served before is served then.
   */
  public SnapshotDescription to(ModelVersion version) throws IOException {
    // Whatever is there: one that can't be read is replaced, too.
    Optional<String> before = catalog.text(Hold.FILE);
    SnapshotDescription target = require(version);
    SnapshotDescription seen;
    try {
      do {
        seen = target;
        put(Hold.FILE, Hold.of(seen).toJson());
        // Again, now that the job sees it: it may have deleted this one, or committed it or others.
        target = require(version);
      } while (target.state() != seen.state());
    } catch (IOException e) {
      restore(before);
      throw e;
    }
    // For programs that read nothing but the pointers.
    Hold hold = Hold.of(target);
    for (String pointer : List.of(Pointer.COMMITTED, Pointer.LATEST)) {
      Optional<Pointer> held = hold.insteadOf(pointer);
      if (held.isPresent()) {
        put(pointer, held.get().toJson());
      }
    }
    return target;
  }

  private void restore(Optional<String> before) throws IOException {
    if (before.isPresent()) {
      put(Hold.FILE, before.get());
    } else {
      store.delete(Hold.FILE);
    }
  }

  private SnapshotDescription require(ModelVersion version) throws IOException {
    Optional<SnapshotDescription> found = catalog.find(version);
    if (found.isEmpty()) {
      throw new IOException(
          "There is no model %s in %s; it has %s"
              .formatted(version, store.locate(""), listed(catalog.versions())));
    }
    SnapshotDescription target = found.get();
    if (target.state() != SnapshotState.COMMITTED
        && catalog.written(Pointer.COMMITTED).isPresent()) {
      throw new IOException(
          ("Model %s isn't committed: no checkpoint covers it, and readers of %s would be given it."
                  + " Choose one whose description says \"state\":\"committed\"")
              .formatted(version, Pointer.COMMITTED));
    }
    return target;
  }

  /**
   * Lets the job's models be served again: at once the newest that may be, later ones as they come.
   *
   * @throws IOException if nothing is held
   */
  public SnapshotDescription release() throws IOException {
    if (catalog.text(Hold.FILE).isEmpty()) {
      throw new IOException("No model is held in " + store.locate(""));
    }
    Served served = served();
    store.delete(Hold.FILE);
    Served pointedTo;
    do {
      pointTo(served);
      pointedTo = served;
      // The job may have published, or committed, meanwhile.
      served = served();
    } while (!served.equals(pointedTo));
    return served.latest();
  }

  private record Served(SnapshotDescription latest, Optional<SnapshotDescription> committed) {}

  private Served served() throws IOException {
    return new Served(
        catalog
            .newest(SnapshotDescription::mayBeServed)
            .orElseThrow(
                () -> new IOException("No model in %s may be served".formatted(store.locate("")))),
        catalog.newest(SnapshotDescription::mayBeServedAsCommitted));
  }

  private void pointTo(Served served) throws IOException {
    if (served.committed().isPresent()) {
      put(Pointer.COMMITTED, pointerTo(served.committed().get()).toJson());
    } else {
      store.delete(Pointer.COMMITTED);
    }
    put(Pointer.LATEST, pointerTo(served.latest()).toJson());
  }

  private static Pointer pointerTo(SnapshotDescription snapshot) {
    return Pointer.to(new SnapshotName(snapshot.version()));
  }

  private void put(String name, String text) throws IOException {
    store.put(name, file -> Files.writeString(file, text));
  }

  private static String listed(Collection<ModelVersion> versions) {
    return versions.isEmpty()
        ? "none"
        : versions.stream().map(ModelVersion::toString).collect(Collectors.joining(", "));
  }
}
