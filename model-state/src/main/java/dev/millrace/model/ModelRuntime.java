package dev.millrace.model;

import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.io.InvalidModelException;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * Predicts with models of any engine, without the engine. Runtimes are extras, found by {@link
 * ServiceLoader}, as exporters are.
 *
 * <p>Thread-safe. It is closed when all of its models are.
 */
public interface ModelRuntime extends AutoCloseable {

  /** Name in messages. */
  String name();

  /**
   * Makes a model ready to predict, once it has predicted as the engine does.
   *
   * @param parameters of the network; they aren't kept
   * @param engine gives a replica with these parameters, which this method closes; called at most
   *     once, on this thread
   * @throws InvalidModelException if a part of the network can't be computed here, naming the part,
   *     if predictions differ by more than {@link Agreement} allows, or if there is no memory
   */
  RuntimeModel open(ModelSpec spec, float[] parameters, Supplier<ModelReplica> engine);

  @Override
  void close();

  /** The runtime on the class path, if there is one. */
  static Optional<ModelRuntime> find() {
    return ServiceLoader.load(ModelRuntime.class, ModelRuntime.class.getClassLoader()).findFirst();
  }
}
