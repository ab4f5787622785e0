package dev.millrace.snapshot;

import dev.millrace.model.ImportedModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelImporter;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Another library's model, as an archive to start from.
 *
 * @param spec as a job would start with it
 * @param bytes of the archive
 */
public record ModelImport(ModelSpec spec, long bytes) {

  /**
   * Converts a model and tries the result as a job would, so that what is written can be trained.
   *
   * @param to is written whole or not at all
   * @param replace whether {@code to} may be there already
   * @throws InvalidModelException if the model can't be converted, or can't be trained
   * @throws IOException if the archive can't be written
   */
  public static ModelImport run(ModelImporter importer, Path from, Path to, boolean replace)
      throws IOException {
    try (AtomicFile file = AtomicFile.create(to, replace)) {
      ImportedModel imported = importer.convert(from, file.unfinished());
      ModelSpec spec = tried(imported, from, file.unfinished());
      file.commit();
      return new ModelImport(spec, Files.size(to));
    }
  }

  private static ModelSpec tried(ImportedModel imported, Path from, Path archive) {
    try {
      return ModelEngine.named(imported.engine())
          .define(new ModelDefinition.Archive(archive, imported.shape()))
          .spec();
    } catch (InvalidModelException e) {
      // The archive isn't there any more when somebody reads the message.
      throw new InvalidModelException(
          e.getMessage().replace("the archive " + archive, from.toString()), e.getCause());
    }
  }
}
