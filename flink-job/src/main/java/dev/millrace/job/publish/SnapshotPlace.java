package dev.millrace.job.publish;

import dev.millrace.exchange.operator.Generations;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;

/**
 * A directory that snapshots are published to, on any of Flink's file systems.
 *
 * @param location a path, or a URI such as {@code s3://bucket/models}
 */
public record SnapshotPlace(String location) implements Serializable {

  /**
   * Opens it, on this machine.
   *
   * @throws IOException if there is no such file system
   */
  public SnapshotStore open() throws IOException {
    org.apache.flink.core.fs.Path path = new org.apache.flink.core.fs.Path(location);
    URI uri = path.toUri();
    return uri.getScheme() == null || uri.getScheme().equals("file")
        ? SnapshotStore.directory(Path.of(uri.getPath()))
        : new FileSystemStore(path);
  }

  /** The generations that models published here bear. */
  public Generations generations() {
    return () -> new SnapshotCatalog(open()).newest().map(ModelVersion::generation).orElse(-1L);
  }
}
