package dev.millrace.model;

import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Makes an engine's archive of a model that another library has written. Importers are extras,
 * found by {@link ServiceLoader}: what they need for reading stays away from jobs, which know
 * archives alone.
 */
public interface ModelImporter {

  /** The files that it reads, in a few words for messages. */
  String format();

  /**
   * Converts a model: its network and weights, and its updater's settings where the engine has that
   * updater.
   *
   * @param archive is created or replaced; the caller sees to it that nobody reads half of it
   * @throws InvalidModelException if the file isn't such a model, or has what the engine hasn't;
   *     the message names the file, the cause, and what to do
   * @throws UnusableEngineException if the importer can't work in this process
   * @throws IOException if the archive can't be written
   */
  ImportedModel convert(Path file, Path archive) throws IOException;

  /** The importer on the class path, if there is one. */
  static Optional<ModelImporter> find() {
    return ServiceLoader.load(ModelImporter.class, ModelImporter.class.getClassLoader())
        .findFirst();
  }
}
