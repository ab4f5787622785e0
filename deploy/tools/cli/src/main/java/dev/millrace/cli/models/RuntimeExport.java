package dev.millrace.cli.models;

import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.model.ModelExporter;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelExporter.Version;
import dev.millrace.model.ServableModel;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.snapshot.AtomicFile;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a stored model for runtimes that only predict. */
public final class RuntimeExport {

  private final ModelExporter exporter;
  private final ServableModel model;

  private RuntimeExport(ModelExporter exporter, ServableModel model) {
    this.exporter = exporter;
    this.model = model;
  }

  /**
   * Reads the model.
   *
   * @param from any place of a model, see {@link StoredModel#open}
   * @param average whether to take the moving average of a savepoint's parameters
   * @param members of a model that is made of several
   * @param keys one of which has signed it, where there are some and it is a published model
   * @throws UnusableEngineException if there is no exporter on the class path
   */
  public static RuntimeExport of(
      String from,
      boolean average,
      ModelExport.Members members,
      TrustedKeys keys,
      SavedModelReader.Progress progress)
      throws IOException {
    ModelExporter exporter =
        ModelExporter.find()
            .orElseThrow(
                () ->
                    new UnusableEngineException(
                        "What writes ONNX isn't on the class path: the jars of opt/onnx, which"
                            + " bin/millrace gets and adds for this format. Where you start Java"
                            + " yourself, add opt/onnx/*"));
    boolean best = members == ModelExport.Members.BEST;
    try (StoredModel stored = StoredModel.open(from, keys)) {
      return new RuntimeExport(exporter, stored.servable(average, best, progress));
    }
  }

  /** Writes one file, whole or not at all. */
  public Agreement toFile(Path to, boolean replace) throws IOException {
    try (AtomicFile file = AtomicFile.create(to, replace)) {
      Agreement agreement = exporter.write(model, file.unfinished());
      file.commit();
      return agreement;
    }
  }

  /** Writes a directory that MLflow loads, whole or not at all; it must not be there. */
  public Agreement toMlflow(Path directory) throws IOException {
    return exporter.writeMlflow(model, directory);
  }

  /** Adds a version to a model's directory in a model repository. */
  public Version toRepository(Path directory) throws IOException {
    return exporter.addVersion(model, directory);
  }
}
