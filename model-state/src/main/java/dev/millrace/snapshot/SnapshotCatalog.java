package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Lists what is published in a place. Each call reads the place again, and none writes. */
public final class SnapshotCatalog {

  private interface Parser<T> {

    T of(String text) throws IOException;
  }

  private final SnapshotStore store;

  public SnapshotCatalog(SnapshotStore store) {
    this.store = store;
  }

  /**
   * A pointer to what is served, if there is one: a model that is {@linkplain #hold held} goes
   * before what a job has written.
   *
   * @param name {@link Pointer#LATEST} or {@link Pointer#COMMITTED}
   * @throws IOException if it can't be read
   */
  public Optional<Pointer> pointer(String name) throws IOException {
    Optional<Hold> hold = hold();
    return hold.isPresent() ? hold.get().insteadOf(name) : written(name);
  }

  /** A pointer's file, whether or not another model is held. */
  Optional<Pointer> written(String name) throws IOException {
    return parsed(
        name,
        Pointer::fromJson,
        "%s is no pointer: %s; delete it, and the next model that is published is served");
  }

  /**
   * The model that a person has put back, if one is held.
   *
   * @throws IOException if that can't be read
   */
  public Optional<Hold> hold() throws IOException {
    return parsed(
        Hold.FILE,
        Hold::fromJson,
        "%s names no model: %s; 'millrace rollback' with a version writes it anew, and without"
            + " that file the newest model is served");
  }

  private <T> Optional<T> parsed(String name, Parser<T> parser, String complaint)
      throws IOException {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(parser.of(text.get()));
    } catch (IOException e) {
      throw new IOException(complaint.formatted(store.locate(name), e.getMessage()), e);
    }
  }

  /**
   * Returns what a pointer's snapshot is; empty where there is no such pointer.
   *
   * @throws IOException if it can't be read
   */
  public Optional<SnapshotDescription> described(String pointer) throws IOException {
    Optional<Pointer> found = pointer(pointer);
    return found.isEmpty() ? Optional.empty() : described(found.get());
  }

  /** Returns what a pointer that was read names; empty where that has been deleted since. */
  Optional<SnapshotDescription> described(Pointer pointer) throws IOException {
    return describedIn(pointer.description());
  }

  /** A snapshot by its version; empty where there is none. */
  public Optional<SnapshotDescription> find(ModelVersion version) throws IOException {
    return describedIn(new SnapshotName(version).description());
  }

  /** The versions that have all of their files. */
  public NavigableSet<ModelVersion> versions() throws IOException {
    NavigableSet<ModelVersion> versions = new TreeSet<>();
    // The description is written last and deleted first.
    for (String file : store.names()) {
      if (file.endsWith(".json")) {
        SnapshotName.ofFile(file).ifPresent(name -> versions.add(name.version()));
      }
    }
    return versions;
  }

  /** The greatest version that any file or pointer bears. */
  public Optional<ModelVersion> newest() throws IOException {
    NavigableSet<ModelVersion> all = versions();
    for (String name : List.of(Pointer.LATEST, Pointer.COMMITTED)) {
      written(name).ifPresent(found -> all.add(ModelVersion.parse(found.version())));
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(all.last());
  }

  /** The newest model that is such a one. */
  Optional<SnapshotDescription> newest(Predicate<SnapshotDescription> wanted) throws IOException {
    for (ModelVersion version : versions().descendingSet()) {
      Optional<SnapshotDescription> snapshot = find(version).filter(wanted);
      if (snapshot.isPresent()) {
        return snapshot;
      }
    }
    return Optional.empty();
  }

  /** The greatest generation that is used here, or claimed to be used; -1 where there is none. */
  public long newestGeneration() throws IOException {
    long claimed = WriterClaim.newestGeneration(store.names());
    return Math.max(claimed, newest().map(ModelVersion::generation).orElse(-1L));
  }

  private Optional<SnapshotDescription> describedIn(String file) throws IOException {
    Optional<String> text = text(file);
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(SnapshotDescription.fromJson(text.get()));
  }

  /** The content of a file, if it is there. */
  Optional<String> text(String file) throws IOException {
    try (InputStream in = store.read(file)) {
      return Optional.of(BoundedText.read(in));
    } catch (NoSuchFileException | FileNotFoundException e) {
      return Optional.empty();
    }
  }
}
