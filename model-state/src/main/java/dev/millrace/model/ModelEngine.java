package dev.millrace.model;

import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.NoFreeDeviceException;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A library that can train networks. Engines are found by {@link ServiceLoader}: a further one is
 * added by one package and one line in {@code META-INF/services}.
 */
public interface ModelEngine {

  /** What an archive says of itself: JSON, in a zip, in whatever folder of it. */
  String DESCRIPTION_ENTRY = "millrace/snapshot.json";

  /** Name in {@link ModelSpec#engine()} and in the option {@code model.engine}. */
  String name();

  /**
   * Makes the model that a definition describes.
   *
   * @throws InvalidModelException if it can't be read, or doesn't fit the shape of the examples
   * @throws UnusableEngineException if the engine can't work in this process
   */
  InitialModel define(ModelDefinition definition);

  /**
   * Builds a replica on the calling thread, with weights as the configuration initializes them.
   *
   * @param device where it is computed; the replica has its share of a device until it is closed
   * @throws NoFreeDeviceException if all devices that it may use are taken
   * @throws UnusableEngineException if the engine can't work in this process
   */
  ModelReplica build(ModelSpec spec, DeviceRequest device);

  /**
   * Writes a model in the engine's own archive format, feature statistics as its normalizer. Needs
   * no second copy of the model's vector on the heap.
   *
   * @param description of the snapshot, for {@link #readArchive} to give back
   * @param file is created or replaced; the caller sees to it that nobody reads half of it
   */
  void writeArchive(GlobalModel model, Optional<String> description, Path file) throws IOException;

  /** Writes a model as an archive without a description. */
  default void writeArchive(GlobalModel model, Path file) throws IOException {
    writeArchive(model, Optional.empty(), file);
  }

  /**
   * Reads an archive in the engine's own format, of any of its networks. What it takes of memory is
   * bounded by the network that the archive describes.
   *
   * @throws InvalidModelException if it can't be read or is damaged, naming file and cause
   */
  ArchivedModel readArchive(Path file);

  /**
   * The layers of a network, in the order of their parameters in the flat vector.
   *
   * @param kind as in {@link ModelSpec#kind()}
   * @param configuration as in {@link ModelSpec#configuration()}
   */
  List<LayerDescription> describe(String kind, String configuration);

  /**
   * The tensors that the parameters are, in the order of the flat vector. By default those of a
   * layer are one, as long as it is.
   *
   * @param kind as in {@link ModelSpec#kind()}
   * @param configuration as in {@link ModelSpec#configuration()}
   */
  default List<TensorDescription> tensors(String kind, String configuration) {
    return describe(kind, configuration).stream()
        .filter(layer -> layer.parameters().length() > 0)
        .map(
            layer ->
                new TensorDescription(
                    layer.name(),
                    List.of((long) layer.parameters().length()),
                    layer.parameters().from()))
        .toList();
  }

  /** Whether a zip looks like an archive of this engine's, by its entries' names alone. */
  default boolean recognizes(ArchiveEntries archive) {
    return false;
  }

  /**
   * Returns who tells the members of its models, where each of them is made of several. By default
   * a model is one, and this is empty.
   */
  default Optional<ModelMembers> members() {
    return Optional.empty();
  }

  /**
   * Whether a network takes features that are numbers of things, such as words: standardized, they
   * would be the numbers of others.
   */
  default boolean takesIds(ModelSpec spec) {
    return false;
  }

  /**
   * Whether replicas of a network tell gradients of its inputs, by {@link
   * ModelReplica#fit(Minibatch, float[], float[])}. By default they don't.
   */
  default boolean givesInputGradients(ModelSpec spec) {
    return false;
  }

  /** Whether a network normalizes by statistics of minibatches, and keeps running ones. */
  default boolean normalizesBatches(ModelSpec spec) {
    return !spec.runningStatistics().isEmpty();
  }

  /**
   * Whether the schedule of a network's learning rate leaves any for the steps that follow so many.
   */
  default boolean learnsAfter(ModelSpec spec, long iteration) {
    return true;
  }

  /**
   * Returns how a network's values lie in the vector, for a model to grow.
   *
   * @throws InvalidModelException if networks of its kind can't grow, saying why and what to do
   */
  default VectorLayout layout(ModelSpec spec) {
    throw new InvalidModelException(
        "Models of the engine %s can't grow; train a new one".formatted(name()));
  }

  /**
   * Returns the same network for examples of other features or outputs, with values as its layers
   * begin with: those of its last one by the seed.
   *
   * @param spec of the network as it is
   * @throws InvalidModelException if networks of its kind can't grow, saying why and what to do
   */
  default InitialModel resized(ModelSpec spec, ExampleShape shape, long seed) {
    throw new InvalidModelException(
        "Models of the engine %s can't grow; train a new one".formatted(name()));
  }

  /**
   * The shape of the examples that an archive's network is for, as its layers tell it.
   *
   * @throws InvalidModelException if the archive can't be read, or doesn't tell
   * @throws UnusableEngineException if the engine can't work in this process
   */
  default ExampleShape shapeOf(Path archive) {
    throw new InvalidModelException(
        "Archives of the engine %s, such as %s, don't tell the shape of their examples"
            .formatted(name(), archive));
  }

  /**
   * Returns how many outputs the last layer of an archive's network gives, where that is to be
   * replaced.
   *
   * @throws InvalidModelException if the archive can't be read, or doesn't tell
   */
  default int outputsOf(Path archive) {
    return shapeOf(archive).outputs();
  }

  /**
   * The engine that an archive looks to be of; empty where none on the class path knows it.
   *
   * @throws IOException if it is no readable zip
   */
  static Optional<ModelEngine> of(Path archive) throws IOException {
    try (ArchiveEntries entries = ArchiveEntries.open(archive)) {
      // No engine needs its libraries to look at names of entries.
      for (ModelEngine engine :
          ServiceLoader.load(ModelEngine.class, ModelEngine.class.getClassLoader())) {
        if (engine.recognizes(entries)) {
          return Optional.of(named(engine.name()));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Whether there are libraries for an engine of that name to be made on: jars of its own, or
   * whatever the class path has.
   */
  static boolean hasLibraries(String name) {
    return EngineLibraries.areThere(name);
  }

  /**
   * The engine of that name. Its libraries are looked for only when it works. Whatever it is given
   * to read, it reads or refuses: none of its readers throws an error that the input has made.
   *
   * @throws InvalidModelException if there is none on the class path
   */
  static ModelEngine named(String name) {
    for (ModelEngine engine : ServiceLoader.load(ModelEngine.class, EngineLibraries.loader(name))) {
      if (engine.name().equals(name)) {
        return new GuardedEngine(engine);
      }
    }
    throw new InvalidModelException(
        "No model engine '%s' on the class path; add the jar that brings it".formatted(name));
  }
}
