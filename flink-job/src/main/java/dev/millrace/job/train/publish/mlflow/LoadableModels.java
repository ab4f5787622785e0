package dev.millrace.job.train.publish.mlflow;

import dev.millrace.job.models.Servable;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelExporter;
import dev.millrace.model.ServableModel;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots as directories that MLflow loads, or where there can't be one, with the engine's
 * archive, below the place that they are published to. They stay when the snapshot goes, since a
 * registry has a version of each.
 */
final class LoadableModels {

  private static final Logger LOG = LoggerFactory.getLogger(LoadableModels.class);

  private final SnapshotPlace place;
  private final Optional<ModelExporter> exporter;

  LoadableModels(SnapshotPlace place) {
    this.place = place;
    this.exporter = exporter();
  }

  private static Optional<ModelExporter> exporter() {
    try {
      Optional<ModelExporter> found = ModelExporter.find();
      if (found.isEmpty()) {
        LOG.warn(
            "Versions are registered with the engine's archive as their source, which MLflow"
                + " doesn't load: what writes ONNX isn't on the job's class path. Add the jars of"
                + " opt/onnx, by -C of flink run or in usrlib/");
      }
      return found;
    } catch (ServiceConfigurationError | LinkageError e) {
      LOG.warn(
          "Versions are registered with the engine's archive as their source, which MLflow doesn't"
              + " load: the jars of opt/onnx can't be used from where they are. Add them by -C of"
              + " flink run or in usrlib/, not in lib/",
          e);
      return Optional.empty();
    }
  }

  /**
   * Writes a directory, or writes it anew. Where this model can't be written for MLflow, which the
   * log says, it has the archive and its description.
   *
   * @return where it is
   * @throws IOException if the model can't be read, or the place can't be written to
   */
  String write(SnapshotDescription snapshot, SnapshotStore store) throws IOException {
    Path local = TemporaryFiles.directory("millrace-mlflow-");
    try {
      Path archive = local.resolve(snapshot.archive());
      try (InputStream in = store.read(snapshot.archive())) {
        Files.copy(in, archive);
      }
      List<Path> files =
          exporter.isPresent()
              ? exported(archive, snapshot, local.resolve("model"))
              : published(archive, snapshot);
      SnapshotStore target =
          new SnapshotPlace("%s/mlflow/%s".formatted(place.location(), snapshot.version())).open();
      target.clean();
      for (Path file : files) {
        target.put(
            file.getFileName().toString(),
            to -> Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING));
      }
      return target.locate("");
    } finally {
      FileUtils.deleteDirectoryQuietly(local.toFile());
    }
  }

  private List<Path> exported(Path archive, SnapshotDescription snapshot, Path directory)
      throws IOException {
    try {
      exporter.get().writeMlflow(servable(archive, snapshot), directory);
      try (Stream<Path> files = Files.list(directory)) {
        return files.toList();
      }
    } catch (InvalidModelException e) {
      LOG.warn(
          "Model {} is registered with the engine's archive as its source, which MLflow doesn't"
              + " load: {}",
          snapshot.version(),
          e.getMessage());
      return published(archive, snapshot);
    }
  }

  /** Returns the files of a snapshot, as they are where it is published. */
  private static List<Path> published(Path archive, SnapshotDescription snapshot)
      throws IOException {
    String description = "model-%s.json".formatted(snapshot.version());
    return List.of(
        archive, Files.writeString(archive.resolveSibling(description), snapshot.toJson()));
  }

  private static ServableModel servable(Path archive, SnapshotDescription snapshot)
      throws IOException {
    InitialModel read =
        ModelEngine.named(snapshot.engine())
            .define(new ModelDefinition.Archive(archive, snapshot.shape()));
    return Servable.of(
        read.spec(),
        read.vector(),
        read.learned().orElseGet(() -> LearnedFeatures.none(snapshot.shape(), false)),
        false,
        Optional.of(snapshot));
  }
}
