package dev.millrace.cli.models;

import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.cli.rows.RowsExport;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.io.Reason;
import dev.millrace.snapshot.AtomicFile;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A model out of a savepoint or checkpoint, as a file of its own; rows of embedding tables are in
 * files beside it.
 *
 * @param model null where it was taken out of an archive
 * @param kind of savepoint or checkpoint, or {@code archive}
 * @param bytes of the file
 * @param rows of each embedding table; none of an archive
 */
public record ModelExport(
    GlobalModel model, String kind, long bytes, List<RowsExport.Written> rows) {

  /** Forms that a file may have. */
  public enum Format {
    /** The engine's own archive. */
    ARCHIVE,
    /** The archive of a model of PyTorch, which is TorchScript's. */
    TORCHSCRIPT,
    /** The parameters by name, without code and updater state. */
    SAFETENSORS,
    /** A graph that predicts, for runtimes of ONNX; see {@link RuntimeExport}. */
    ONNX,
    /** The next version in a model repository of Triton's, as ONNX. */
    TRITON,
    /** A directory that MLflow loads as a model, with an ONNX graph. */
    MLFLOW,
    /** A text for people about the model; see {@link ModelCard}. */
    CARD;

    /** Whether it is for runtimes that only predict. */
    public boolean isForRuntimes() {
      return this == ONNX || this == TRITON || this == MLFLOW;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Says which part is written of a model that is made of several. */
  public enum Members {
    /** All of them, as one archive. */
    ALL,
    /** The one that counts most, as a model of its own. */
    BEST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String TORCH = "torch";

  /** Writes the archive of the newest parameters. */
  public static ModelExport run(String from, Path to, boolean replace, ReadingProgress progress)
      throws IOException {
    return run(from, to, replace, false, Members.ALL, Format.ARCHIVE, TrustedKeys.NONE, progress);
  }

  /**
   * Reads the model and writes its file, whole or not at all, and before it those of its rows, see
   * {@link RowsExport}. Memory holds the model once, and what the server optimizer keeps of it; of
   * rows one at a time.
   *
   * @param from a savepoint or checkpoint, or for {@link Format#SAFETENSORS} an archive, see {@link
   *     StoredModel#open}
   * @param replace whether {@code to} may be there already
   * @param average whether to take the moving average of the parameters, without updater state, in
   *     the place of the newest ones
   * @param members of a model that is made of several; another has one member, which is all of it
   * @param keys one of which has signed it, where there are some and it is a published model
   * @throws IOException naming the file and the cause
   */
  public static ModelExport run(
      String from,
      Path to,
      boolean replace,
      boolean average,
      Members members,
      Format format,
      TrustedKeys keys,
      ReadingProgress progress)
      throws IOException {
    try (AtomicFile file = AtomicFile.create(to, replace)) {
      StoredModel stored = StoredModel.open(from, keys);
      boolean all = members == Members.ALL;
      if (stored instanceof ArchiveModel archive
          && format == Format.SAFETENSORS
          && !average
          && all) {
        archive.writeTensors(file.unfinished());
        file.commit();
        return new ModelExport(null, "archive", Files.size(to), List.of());
      }
      if (stored instanceof ArchiveModel archive) {
        throw new IOException(
            "%s is no savepoint. Its model is an archive already: copy %s"
                .formatted(from, archive.location()));
      }
      SavepointModel savepoint = (SavepointModel) stored;
      GlobalModel read = average ? savepoint.readAverage(progress) : savepoint.read(progress);
      GlobalModel model = all ? read : best(read);
      write(model, savepoint, format, file, to);
      Map<String, String> facts = Map.of("version", model.version().toString());
      try (RowsExport rows = RowsExport.write(savepoint.tables(), to, replace, facts, progress)) {
        List<RowsExport.Written> written = rows.commit();
        file.commit();
        return new ModelExport(model, savepoint.kind(), Files.size(to), written);
      }
    }
  }

  private static GlobalModel best(GlobalModel model) {
    return ModelMembers.of(model.spec().engine())
        .map(members -> members.best(model.spec(), model.vector()))
        .map(model::member)
        .orElse(model);
  }

  /** Whether the replicas keep the updater state to themselves, so that a savepoint has none. */
  public boolean lacksUpdaterState() {
    return model != null && model.vector().length < model.spec().vectorLength();
  }

  private static void write(
      GlobalModel model, SavepointModel savepoint, Format format, AtomicFile file, Path to)
      throws IOException {
    ModelEngine engine = ModelEngine.named(model.spec().engine());
    if (format == Format.SAFETENSORS) {
      writeTensors(engine, model, file.unfinished());
      return;
    }
    if (format == Format.TORCHSCRIPT && !engine.name().equals(TORCH)) {
      throw new IOException(
          ("%s can't be written: the model is of the engine %s, and torchscript is the format of"
                  + " torch; take --format archive or safetensors")
              .formatted(to, engine.name()));
    }
    String description =
        SnapshotDescription.of(model, Optional.empty(), savepoint.facts().written()).toJson();
    try {
      engine.writeArchive(model, Optional.of(description), file.unfinished());
    } catch (IOException e) {
      throw new IOException("%s can't be written: %s".formatted(to, Reason.of(e)));
    }
  }

  private static void writeTensors(ModelEngine engine, GlobalModel model, Path to)
      throws IOException {
    TensorFile tensors = new TensorFile(engine, model.iteration()).version(model.version());
    if (model.standardizes()) {
      Standardization standardization = model.statistics().standardization();
      boolean plain = model.spec().shape().columns().isPlain();
      tensors.standardization(
          plain ? standardization : standardization.ofAll(model.spec().shape()));
    }
    tensors.write(model.spec().kind(), model.spec().configuration(), model.vector(), to);
  }
}
