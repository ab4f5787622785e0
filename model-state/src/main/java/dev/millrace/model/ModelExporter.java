package dev.millrace.model;

import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Writes models for runtimes that only predict. Exporters are extras, found by {@link
 * ServiceLoader}, as importers are.
 *
 * <p>What is written has predicted as the model's own engine does before it is there.
 */
public interface ModelExporter {

  /**
   * How predictions of the written model compare with those of its own engine.
   *
   * @param rows examples that both have predicted for
   * @param difference the largest between any two values
   * @param bound the largest that is allowed
   */
  record Agreement(int rows, double difference, double bound) {}

  /**
   * Writes one file.
   *
   * @param file is created or replaced; the caller sees to it that nobody reads half of it
   * @throws InvalidModelException if a part of the model can't be written in this format, naming
   *     the part, or if predictions differ
   * @throws IOException if the file can't be written
   */
  Agreement write(ServableModel model, Path file) throws IOException;

  /**
   * Adds the next version to a directory of numbered versions, as model servers follow them. The
   * version appears whole or not at all.
   *
   * @param directory of one model; made if it isn't there
   * @return the number of the version, 1 for the first, and the agreement
   * @throws InvalidModelException as {@link #write}, and if the newest version there has other
   *     inputs or outputs
   * @throws IOException if it can't be written
   */
  Version addVersion(ServableModel model, Path directory) throws IOException;

  /**
   * Writes a directory that MLflow loads as a model. It appears whole or not at all.
   *
   * @param directory that isn't there
   * @throws InvalidModelException as {@link #write}
   * @throws IOException if it can't be written
   */
  Agreement writeMlflow(ServableModel model, Path directory) throws IOException;

  /**
   * A version in a directory of versions.
   *
   * @param file of the model
   */
  record Version(int number, Path file, Agreement agreement) {}

  /** The exporter on the class path, if there is one. */
  static Optional<ModelExporter> find() {
    return ServiceLoader.load(ModelExporter.class, ModelExporter.class.getClassLoader())
        .findFirst();
  }
}
