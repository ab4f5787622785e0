package dev.millrace.cli.models;

import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.snapshot.AtomicFile;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A model out of a savepoint or checkpoint, as an archive of its own.
 *
 * @param kind of savepoint or checkpoint
 * @param bytes of the archive
 */
public record ModelExport(GlobalModel model, String kind, long bytes) {

  /** Writes the archive of the newest parameters. */
  public static ModelExport run(
      String from, Path to, boolean replace, SavedModelReader.Progress progress)
      throws IOException {
    return run(from, to, replace, false, progress);
  }

  /**
   * Reads the model and writes its archive, whole or not at all. Memory holds the model once, and
   * what the server optimizer keeps of it.
   *
   * @param from a savepoint or checkpoint, see {@link StoredModel#open}
   * @param replace whether {@code to} may be there already
   * @param average whether to take the moving average of the parameters, without updater state, in
   *     the place of the newest ones
   * @throws IOException naming the file and the cause
   */
  public static ModelExport run(
      String from, Path to, boolean replace, boolean average, SavedModelReader.Progress progress)
      throws IOException {
    try (AtomicFile file = AtomicFile.create(to, replace)) {
      StoredModel stored = StoredModel.open(from);
      if (stored instanceof ArchiveModel archive) {
        throw new IOException(
            "%s is no savepoint. Its model is an archive already: copy %s"
                .formatted(from, archive.file()));
      }
      SavepointModel savepoint = (SavepointModel) stored;
      GlobalModel model = average ? savepoint.readAverage(progress) : savepoint.read(progress);
      write(model, savepoint, file, to);
      file.commit();
      return new ModelExport(model, savepoint.kind(), Files.size(to));
    }
  }

  /** Whether the replicas keep the updater state to themselves, so that a savepoint has none. */
  public boolean lacksUpdaterState() {
    return model.vector().length < model.spec().vectorLength();
  }

  private static void write(GlobalModel model, SavepointModel savepoint, AtomicFile file, Path to)
      throws IOException {
    String description =
        SnapshotDescription.of(model, Optional.empty(), savepoint.facts().written()).toJson();
    try {
      ModelEngine.named(model.spec().engine())
          .writeArchive(model, Optional.of(description), file.unfinished());
    } catch (IOException e) {
      throw new IOException("%s can't be written: %s".formatted(to, Reason.of(e)));
    }
  }
}
