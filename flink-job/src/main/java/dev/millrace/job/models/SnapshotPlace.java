package dev.millrace.job.models;

import dev.millrace.exchange.flink.coordinator.UsedGenerations;
import dev.millrace.extension.Extensions;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotStoreExtension;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A directory that snapshots are published to, on any of Flink's file systems.
 *
 * @param location a path, or a URI such as {@code s3://bucket/models}
 */
public record SnapshotPlace(String location) implements Serializable {

  /** A relative path is taken from the directory that this process works in. */
  public static SnapshotPlace of(String location) {
    SnapshotPlace place = new SnapshotPlace(location);
    return place
        .local()
        .map(path -> new SnapshotPlace(path.toAbsolutePath().toString()))
        .orElse(place);
  }

  /**
   * Opens it, on this machine: by an extension where there is one of the URI's scheme.
   *
   * @throws IOException if there is no such file system
   */
  public SnapshotStore open() throws IOException {
    Optional<Path> local = local();
    if (local.isPresent()) {
      return SnapshotStore.directory(local.get());
    }
    String scheme = new org.apache.flink.core.fs.Path(location).toUri().getScheme();
    if (Extensions.has(SnapshotStoreExtension.class, scheme)) {
      return Extensions.create(
          SnapshotStoreExtension.class, scheme, Map.of(SnapshotStoreExtension.LOCATION, location));
    }
    return new FileSystemStore(new org.apache.flink.core.fs.Path(location));
  }

  /** The directory, where it is one of this machine's. */
  public Optional<Path> local() {
    URI uri = new org.apache.flink.core.fs.Path(location).toUri();
    return uri.getScheme() == null || uri.getScheme().equals("file")
        ? Optional.of(Path.of(uri.getPath()))
        : Optional.empty();
  }

  /** The generations that models published here bear, or that a writer has claimed. */
  public UsedGenerations generations() {
    return () -> new SnapshotCatalog(open()).newestGeneration();
  }
}
