package dev.millrace.cli.rebuild;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;

/** The models that a place has now. */
public final class PublishedModels {

  private final SnapshotStore store;
  private final SnapshotCatalog catalog;

  public PublishedModels(SnapshotStore store) {
    this.store = store;
    this.catalog = new SnapshotCatalog(store);
  }

  /** Returns their versions. */
  public Set<ModelVersion> versions() throws IOException {
    return catalog.versions();
  }

  /**
   * Reads one.
   *
   * @throws IOException if it isn't there, or can't be read
   */
  ArchivedModel read(ModelVersion version) throws IOException {
    SnapshotDescription description =
        catalog
            .find(version)
            .orElseThrow(
                () ->
                    new IOException(
                        "There is no model %s in %s: nothing to compare with"
                            .formatted(version, store.locate(""))));
    Path copy = TemporaryFiles.file("millrace-published-", ".zip");
    try (InputStream in = store.read("model-" + version + ".zip")) {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      return ModelEngine.named(description.engine()).readArchive(copy);
    } finally {
      Files.delete(copy);
    }
  }
}
