package dev.millrace.cli.models;

import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.cli.rows.StoredTables;
import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.exchange.savepoint.SavepointException;
import dev.millrace.model.ServableModel;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A model where it is kept. A copy that was made of it is deleted with the process at the latest.
 */
public sealed interface StoredModel extends AutoCloseable permits SavepointModel, ArchiveModel {

  /** How the names of archives end: DL4J's and ours, and those that Python gives TorchScript. */
  List<String> ARCHIVES = List.of(".zip", ".pt", ".pth");

  /** All that is known of the model without reading its vector, unless it is made of several. */
  Inspection inspect() throws IOException;

  /**
   * Returns the embedding tables that are kept with it; an archive has none.
   *
   * @throws IOException if they can't be read
   */
  default StoredTables tables() throws IOException {
    return StoredTables.NONE;
  }

  /**
   * Records that the model has taken, and those on their way to it.
   *
   * @throws IOException if that can't be read, or the model has no ledger
   */
  List<ConsumedRecords> taken() throws IOException;

  /**
   * Counts ids of examples that wait for their minibatch, which no row was used by yet.
   *
   * @return for each field of ids; nothing where none can wait
   */
  default long[] waitingIds() throws IOException {
    return new long[0];
  }

  /**
   * Reads [parameters | updater state], or the parameters alone where there is no more.
   *
   * @param progress is told how far this has come, where it may take long
   */
  float[] vector(SavedModelReader.Progress progress) throws IOException;

  /**
   * Reads the model for other programs to predict with.
   *
   * @param average whether to take the moving average of the parameters
   * @param best whether to take only the member that counts most, where the model is made of
   *     several
   * @throws IOException if that can't be read, or isn't there
   */
  ServableModel servable(boolean average, boolean best, SavedModelReader.Progress progress)
      throws IOException;

  /** Deletes the copy that was made of it, if one was. Nothing else can be asked then. */
  @Override
  default void close() {}

  /**
   * Finds out what a path leads to.
   *
   * @param path a savepoint or checkpoint (its directory or its file {@code _metadata}, on any of
   *     Flink's file systems), or on any of them an archive, a snapshot's description, or a
   *     directory of snapshots, of which it is the latest
   * @throws IOException if there is nothing of these, naming the path
   */
  static StoredModel open(String path) throws IOException {
    return open(path, TrustedKeys.NONE);
  }

  /**
   * Finds, as {@link #open(String)} does, a model that one of the keys has signed, unless it is in
   * a savepoint.
   *
   * @throws IOException also if it isn't signed so
   */
  static StoredModel open(String path, TrustedKeys keys) throws IOException {
    Optional<Path> local = LocalPath.of(path);
    if (local.isEmpty()) {
      return copied(path, path, keys);
    }
    Path file = local.get();
    boolean directory = Files.isDirectory(file);
    if (Files.exists(file)
        && !(Files.isReadable(file) && (!directory || Files.isExecutable(file)))) {
      throw new IOException("%s can't be read: this user may not".formatted(path));
    }
    if (directory && Files.exists(file.resolve("_metadata"))) {
      return new SavepointModel(SavedStates.open(path));
    }
    if (keys.areSome()) {
      return copied(file.toAbsolutePath().toString(), path, keys);
    }
    if (directory) {
      return ArchiveModel.latest(file);
    }
    String name = String.valueOf(file.getFileName());
    if (name.endsWith(".json")) {
      return ArchiveModel.describedBy(file);
    }
    return ARCHIVES.stream().anyMatch(name::endsWith)
        ? ArchiveModel.at(file)
        : new SavepointModel(SavedStates.open(path));
  }

  /**
   * Opens a copy of what is on another file system, or is used only if it is signed: what was
   * checked stays so, whoever may write there. No copy is made of a savepoint.
   *
   * @param location as people know it
   */
  private static StoredModel copied(String path, String location, TrustedKeys keys)
      throws IOException {
    if (path.endsWith(".json") || ARCHIVES.stream().anyMatch(path::endsWith)) {
      return ArchiveModel.of(FetchedModel.named(path), location, keys);
    }
    try {
      return new SavepointModel(SavedStates.open(path));
    } catch (SavepointException e) {
      if (!e.saysThereIsNone()) {
        throw e;
      }
      Optional<FetchedModel> latest = FetchedModel.latest(path);
      if (latest.isEmpty()) {
        throw new IOException(
            ("There is no model at %s: no savepoint or checkpoint, with a file _metadata, and no"
                    + " directory of snapshots, with a latest.json")
                .formatted(location),
            e);
      }
      String archive = location + "/" + latest.get().archive().getFileName();
      return ArchiveModel.of(latest.get(), archive, keys);
    }
  }
}
