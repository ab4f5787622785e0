package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which snapshots stay: the newest, those that a pointer names, and of all others every so many.
 *
 * @param newest how many of the newest stay; at least 1
 * @param every of these and older ones, those whose number is a multiple of it stay for good; 0 for
 *     none
 */
public record Retention(int newest, int every) implements Serializable {

  public Retention {
    if (newest < 1) {
      throw new IllegalArgumentException("At least one snapshot must be kept, not " + newest);
    }
    if (every < 0) {
      throw new IllegalArgumentException(
          "Every 0th is none, every %dth is nothing".formatted(every));
    }
  }

  /** Deletes what needn't stay from one place. */
  static final class Sweeper {

    private final Retention retention;
    private final SnapshotStore store;
    private final SnapshotCatalog catalog;

    /** Those known to stay for good, so that each is asked once. */
    private final Set<SnapshotName> keptForGood = new HashSet<>();

    Sweeper(Retention retention, SnapshotStore store) {
      this.retention = retention;
      this.store = store;
      this.catalog = new SnapshotCatalog(store);
    }

    /** The versions that were deleted. */
    Set<ModelVersion> sweep() throws IOException {
      Set<ModelVersion> deleted = new HashSet<>();
      NavigableSet<SnapshotName> all = new TreeSet<>();
      for (String file : store.names()) {
        SnapshotName.ofFile(file).ifPresent(all::add);
      }
      List<SnapshotName> oldestFirst = new ArrayList<>(all);
      Set<String> named = named();
      for (SnapshotName name :
          oldestFirst.subList(0, Math.max(0, oldestFirst.size() - retention.newest))) {
        if (!named.contains(name.archive()) && !staysForGood(name)) {
          // The description goes first, so that each that is there has its archive.
          store.delete(name.description());
          store.delete(name.archive());
          deleted.add(name.version());
        }
      }
      return deleted;
    }

    private Set<String> named() throws IOException {
      Set<String> named = new HashSet<>();
      for (String pointer : List.of(Pointer.LATEST, Pointer.COMMITTED)) {
        catalog.pointer(pointer).ifPresent(found -> named.add(found.archive()));
      }
      return named;
    }

    private boolean staysForGood(SnapshotName name) throws IOException {
      if (retention.every == 0) {
        return false;
      }
      if (keptForGood.contains(name)) {
        return true;
      }
      Optional<SnapshotDescription> description = catalog.find(name.version());
      boolean stays = description.isPresent() && description.get().number() % retention.every == 0;
      if (stays) {
        keptForGood.add(name);
      }
      return stays;
    }
  }
}
