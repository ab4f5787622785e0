package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Which snapshots stay: the newest, those that a pointer names, the newest of before a drift, and
 * of all others every so many.
 *
 * @param newest how many of the newest stay; at least 1
 * @param every of these and older ones, those whose number is a multiple of it stay for good; 0 for
 *     none
 * @param ofDrifts how many of the newest stay that are {@linkplain
 *     SnapshotDescription#wasBeforeDrift of before a drift}
 */
public record Retention(int newest, int every, int ofDrifts) implements Serializable {

  public Retention {
    if (newest < 1) {
      throw new IllegalArgumentException("At least one snapshot must be kept, not " + newest);
    }
    if (every < 0) {
      throw new IllegalArgumentException(
          "Every 0th is none, every %sth is nothing".formatted(every));
    }
  }

  /** Deletes what needn't stay from one place. */
  static final class Sweeper {

    private final Retention retention;
    private final SnapshotStore store;
    private final SnapshotCatalog catalog;

    /** What is known of those that stay after they were looked at, so that each is asked once. */
    private final Map<SnapshotName, SnapshotDescription> asked = new HashMap<>();

    Sweeper(Retention retention, SnapshotStore store) {
      this.retention = retention;
      this.store = store;
      this.catalog = new SnapshotCatalog(store);
    }

    /** Tells of each version that was deleted, also where another can't be. */
    void sweep(Consumer<ModelVersion> deleted) throws IOException {
      NavigableSet<SnapshotName> all = new TreeSet<>();
      for (String file : store.names()) {
        SnapshotName.ofFile(file).ifPresent(all::add);
      }
      List<SnapshotName> oldestFirst = new ArrayList<>(all);
      Set<String> named = named();
      int ofDrifts = 0;
      List<SnapshotName> older =
          oldestFirst.subList(0, Math.max(0, oldestFirst.size() - retention.newest));
      // The newest of before a drift are counted first.
      for (int i = older.size() - 1; i >= 0; i--) {
        SnapshotName name = older.get(i);
        boolean stays = staysForGood(name);
        if (ofDrifts < retention.ofDrifts && isOfBeforeDrift(name)) {
          ofDrifts++;
          stays = true;
        }
        if (!named.contains(name.archive()) && !stays) {
          if (delete(name)) {
            deleted.accept(name.version());
          }
        }
      }
    }

    /**
     * The description goes first, so that each that is there has its archive. A person who puts
     * this very model back at the same time either finds no description, and is told so, or is seen
     * here.
     */
    private boolean delete(SnapshotName name) throws IOException {
      Optional<String> description = catalog.text(name.description());
      store.delete(name.description());
      if (description.isPresent() && isHeld(name)) {
        store.put(name.description(), file -> Files.writeString(file, description.get()));
        return false;
      }
      store.delete(name.archive());
      asked.remove(name);
      return true;
    }

    private boolean isHeld(SnapshotName name) throws IOException {
      return catalog.hold().filter(held -> held.archive().equals(name.archive())).isPresent();
    }

    private Set<String> named() throws IOException {
      Set<String> named = new HashSet<>();
      for (String pointer : List.of(Pointer.LATEST, Pointer.COMMITTED)) {
        catalog.written(pointer).ifPresent(found -> named.add(found.archive()));
      }
      catalog.hold().ifPresent(held -> named.add(held.archive()));
      return named;
    }

    private boolean staysForGood(SnapshotName name) throws IOException {
      return retention.every > 0
          && description(name).filter(one -> one.number() % retention.every == 0).isPresent();
    }

    private boolean isOfBeforeDrift(SnapshotName name) throws IOException {
      return description(name).filter(SnapshotDescription::wasBeforeDrift).isPresent();
    }

    private Optional<SnapshotDescription> description(SnapshotName name) throws IOException {
      if (!asked.containsKey(name)) {
        catalog.find(name.version()).ifPresent(found -> asked.put(name, found));
      }
      return Optional.ofNullable(asked.get(name));
    }
  }
}
