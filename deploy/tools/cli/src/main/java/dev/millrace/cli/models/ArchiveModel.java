package dev.millrace.cli.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.job.models.Servable;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.ServableModel;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.snapshot.BoundedText;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A model in an engine's archive, with a description if it is Millrace's. */
final class ArchiveModel implements StoredModel {

  private static final String ZIP = ".zip";
  private static final String JSON = ".json";

  private final Path file;

  /** The place as people know it: the file, or where it is a copy of. */
  private final String location;

  private final ModelEngine engine;
  private final ArchivedModel model;
  private final Optional<SnapshotDescription> description;
  private Optional<FetchedModel> copy = Optional.empty();

  private ArchiveModel(
      Path file, String location, Optional<SnapshotDescription> beside, TrustedKeys keys)
      throws IOException {
    requireSigned(file, location, beside, keys);
    this.file = file;
    this.location = location;
    this.engine = beside.isPresent() ? ModelEngine.named(beside.get().engine()) : engineOf(file);
    this.model = engine.readArchive(file);
    // The one beside is written anew when there is more to tell.
    this.description = beside.isPresent() ? beside : inside(file, model);
  }

  /** Checks the signature before an engine reads the archive: some archives are code. */
  private static void requireSigned(
      Path file, String location, Optional<SnapshotDescription> beside, TrustedKeys keys)
      throws IOException {
    if (!keys.areSome()) {
      return;
    }
    try {
      keys.require(
          beside.orElseThrow(
              () ->
                  new InvalidModelException("there is no description with a signature beside it")),
          file);
    } catch (InvalidModelException e) {
      throw new InvalidModelException(
          "The model %s isn't read: %s".formatted(location, e.getMessage()), e);
    }
  }

  /**
   * Finds the engine by the file's content; what is none of any engine's archives, the default one
   * complains of.
   */
  private static ModelEngine engineOf(Path file) {
    try {
      Optional<ModelEngine> found = ModelEngine.of(file);
      if (found.isPresent()) {
        return found.get();
      }
    } catch (IOException e) {
      // To be told by who reads it.
      return ModelEngine.named(ModelOptions.ENGINE.defaultValue());
    }
    return ModelEngine.named(ModelOptions.ENGINE.defaultValue());
  }

  static ArchiveModel at(Path archive) throws IOException {
    return at(archive, archive.toString(), TrustedKeys.NONE);
  }

  /**
   * Opens a copy, which nobody else can change.
   *
   * @param location of the original
   */
  static ArchiveModel of(FetchedModel copy, String location, TrustedKeys keys) throws IOException {
    boolean opened = false;
    try {
      ArchiveModel model = at(copy.archive(), location, keys);
      model.copy = Optional.of(copy);
      opened = true;
      return model;
    } finally {
      if (!opened) {
        copy.close();
      }
    }
  }

  private static ArchiveModel at(Path archive, String location, TrustedKeys keys)
      throws IOException {
    Path beside = sibling(archive, JSON);
    return new ArchiveModel(
        archive,
        location,
        BoundedText.isDescription(beside) ? Optional.of(description(beside)) : Optional.empty(),
        keys);
  }

  /** Opens the archive of the newest snapshot in a directory. */
  static ArchiveModel latest(Path directory) throws IOException {
    Optional<LatestSnapshot> latest;
    try {
      latest = LatestSnapshot.find(directory);
    } catch (IOException e) {
      throw new IOException(
          "The latest snapshot in %s can't be read: %s".formatted(directory, Reason.of(e)));
    }
    if (latest.isEmpty()) {
      throw new IOException(
          ("There is no model in %s: it has neither a savepoint's _metadata nor the latest.json of"
                  + " snapshots")
              .formatted(directory));
    }
    Path archive = latest.get().archive();
    return new ArchiveModel(
        archive, archive.toString(), Optional.of(latest.get().description()), TrustedKeys.NONE);
  }

  /** Returns where it is. */
  String location() {
    return location;
  }

  static ArchiveModel describedBy(Path description) throws IOException {
    Path archive = sibling(description, ZIP);
    return new ArchiveModel(
        archive, archive.toString(), Optional.of(description(description)), TrustedKeys.NONE);
  }

  private static Path sibling(Path file, String suffix) {
    String name = file.getFileName().toString();
    return file.resolveSibling(name.substring(0, name.lastIndexOf('.')) + suffix);
  }

  private static SnapshotDescription description(Path file) throws IOException {
    try {
      return SnapshotDescription.fromJson(BoundedText.read(file));
    } catch (IOException e) {
      throw new IOException("The description %s can't be read: %s".formatted(file, Reason.of(e)));
    }
  }

  private static Optional<SnapshotDescription> inside(Path file, ArchivedModel model)
      throws IOException {
    if (model.description().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(SnapshotDescription.fromJson(model.description().get()));
    } catch (IOException e) {
      throw new IOException(
          "The description in %s can't be read: %s".formatted(file, Reason.of(e)));
    }
  }

  @Override
  public void close() {
    copy.ifPresent(FetchedModel::close);
  }

  @Override
  public List<ConsumedRecords> taken() throws IOException {
    return TakenRecords.of(
        description
            .map(SnapshotDescription::ledger)
            .orElseThrow(
                () ->
                    new IOException(
                        ("%s has no ledger: it is no model of Millrace, or its description is"
                                + " missing")
                            .formatted(location))));
  }

  @Override
  public float[] vector(SavedModelReader.Progress progress) {
    return model.vector();
  }

  /** Writes its parameters in the format safetensors. */
  void writeTensors(Path to) throws IOException {
    TensorFile tensors = new TensorFile(engine, model.iteration());
    description.map(SnapshotDescription::version).ifPresent(tensors::version);
    if (model.statistics().isPresent()) {
      Standardization standardization = model.statistics().get().standardization();
      boolean fields =
          description
              .map(SnapshotDescription::shape)
              .filter(shape -> !shape.columns().isPlain())
              .isPresent();
      tensors.standardization(
          fields ? standardization.ofAll(description.get().shape()) : standardization);
    }
    tensors.write(model.kind(), model.configuration(), model.vector(), to);
  }

  @Override
  public ServableModel servable(boolean average, boolean best, SavedModelReader.Progress progress)
      throws IOException {
    if (average) {
      throw new IOException(
          "%s is no savepoint: its parameters are the only ones; leave --average out"
              .formatted(location));
    }
    ExampleShape shape = description.isPresent() ? description.get().shape() : engine.shapeOf(file);
    InitialModel read = engine.define(new ModelDefinition.Archive(file, shape));
    return Servable.of(
        read.spec(),
        read.vector(),
        read.learned().orElseGet(() -> LearnedFeatures.none(shape, false)),
        best,
        description);
  }

  /** Returns what the archive knows of named fields; null where it has none. */
  private JsonNode features() throws IOException {
    return description.isPresent() && model.learned().isPresent()
        ? Inspection.features(description.get().shape(), model.learned().get())
        : null;
  }

  @Override
  public Inspection inspect() throws IOException {
    return new Inspection(
        location,
        "archive",
        description
            .map(SnapshotDescription::created)
            .orElse(Files.getLastModifiedTime(file).toInstant())
            .toString(),
        Files.size(file),
        description.map(SnapshotDescription::version).orElse(null),
        model.iteration(),
        engine.name(),
        model.kind(),
        model.parameters(),
        model.vector().length - model.parameters(),
        model.serverOptimizer().size(),
        description.map(SnapshotDescription::shape).orElse(null),
        ModelMembers.of(engine.name())
            .map(members -> members.report(model.configuration(), model.vector()))
            .orElse(null),
        engine.describe(model.kind(), model.configuration()),
        model.statistics().map(FeatureStatistics::count).orElse(0L),
        model
            .statistics()
            .filter(FeatureStatistics::clips)
            .map(FeatureStatistics::clip)
            .orElse(null),
        features(),
        description.map(SnapshotDescription::ledger).orElse(null),
        description.map(SnapshotDescription::prequential).orElse(null),
        null,
        description.map(SnapshotDescription::holdOut).orElse(null),
        null,
        description.orElse(null),
        null);
  }
}
