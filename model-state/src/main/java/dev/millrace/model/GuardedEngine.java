package dev.millrace.model;

import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.NoFreeDeviceException;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.InputErrors;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An engine whose readers refuse what makes them fail, whatever it is: libraries throw what they
 * like at bytes that nobody has tried with them.
 */
final class GuardedEngine implements ModelEngine {

  private final ModelEngine engine;

  GuardedEngine(ModelEngine engine) {
    this.engine = engine;
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public InitialModel define(ModelDefinition definition) {
    return guarded(origin(definition), () -> engine.define(definition));
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    return guarded(archive(file), () -> engine.readArchive(file));
  }

  @Override
  public ExampleShape shapeOf(Path archive) {
    return guarded(archive(archive), () -> engine.shapeOf(archive));
  }

  @Override
  public int outputsOf(Path archive) {
    return guarded(archive(archive), () -> engine.outputsOf(archive));
  }

  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    return guarded(ofNetwork(), () -> engine.describe(kind, configuration));
  }

  @Override
  public List<TensorDescription> tensors(String kind, String configuration) {
    return guarded(ofNetwork(), () -> engine.tensors(kind, configuration));
  }

  @Override
  public boolean takesIds(ModelSpec spec) {
    return guarded(ofNetwork(), () -> engine.takesIds(spec));
  }

  @Override
  public boolean givesInputGradients(ModelSpec spec) {
    return guarded(ofNetwork(), () -> engine.givesInputGradients(spec));
  }

  @Override
  public boolean normalizesBatches(ModelSpec spec) {
    return guarded(ofNetwork(), () -> engine.normalizesBatches(spec));
  }

  @Override
  public boolean learnsAfter(ModelSpec spec, long iteration) {
    return guarded(ofNetwork(), () -> engine.learnsAfter(spec, iteration));
  }

  @Override
  public VectorLayout layout(ModelSpec spec) {
    return guarded(ofNetwork(), () -> engine.layout(spec));
  }

  @Override
  public InitialModel resized(ModelSpec spec, ExampleShape shape, long seed) {
    return guarded(ofNetwork(), () -> engine.resized(spec, shape, seed));
  }

  /**
   * Builds without the guard of a reader: what fails here is the device or the memory of a model
   * that was read.
   */
  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest device) {
    return engine.build(spec, device);
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file)
      throws IOException {
    engine.writeArchive(model, description, file);
  }

  @Override
  public boolean recognizes(ArchiveEntries archive) {
    return engine.recognizes(archive);
  }

  /** Passes them on without a guard: no library of an engine has a part in what they answer. */
  @Override
  public Optional<ModelMembers> members() {
    return engine.members();
  }

  private static String origin(ModelDefinition definition) {
    if (definition instanceof ModelDefinition.Archive archive) {
      return archive(archive.file());
    }
    return definition instanceof ModelDefinition.Configuration configuration
        ? "The model configuration " + configuration.file()
        : "The built-in network";
  }

  private static String archive(Path file) {
    return "The model archive " + file;
  }

  private static String ofNetwork() {
    return "The model's network";
  }

  private static <T> T guarded(String origin, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidModelException | UnusableEngineException | NoFreeDeviceException e) {
      throw e;
    } catch (RuntimeException e) {
      throw refused(origin, String.valueOf(e.getMessage()), e);
    } catch (Error e) {
      throw refused(origin, InputErrors.reason(e), e);
    }
  }

  private static InvalidModelException refused(String origin, String why, Throwable cause) {
    return new InvalidModelException("%s can't be read: %s".formatted(origin, why), cause);
  }
}
