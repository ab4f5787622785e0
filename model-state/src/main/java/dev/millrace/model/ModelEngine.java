package dev.millrace.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * A library that can train networks. Engines are found by {@link ServiceLoader}: a further one is
 * added by one package and one line in {@code META-INF/services}.
 */
public interface ModelEngine {

  /** What an archive says of itself: JSON, in a zip. */
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
   * Writes a model in the engine's own archive format, feature statistics as its normalizer.
   *
   * @param description goes into the archive as {@value #DESCRIPTION_ENTRY}, which the engine
   *     itself passes over, so that an archive alone tells what it is
   * @param file is created or replaced; the caller sees to it that nobody reads half of it
   */
  void writeArchive(GlobalModel model, String description, Path file) throws IOException;

  /**
   * The engine of that name.
   *
   * @throws InvalidModelException if there is none on the class path
   */
  static ModelEngine named(String name) {
    for (ModelEngine engine : ServiceLoader.load(ModelEngine.class, EngineLibraries.loader())) {
      if (engine.name().equals(name)) {
        return engine;
      }
    }
    throw new InvalidModelException(
        "No model engine '%s' on the class path; add the jar that brings it".formatted(name));
  }
}
