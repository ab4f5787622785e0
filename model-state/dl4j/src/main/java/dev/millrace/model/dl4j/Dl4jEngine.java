package dev.millrace.model.dl4j;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.device.DeviceLease;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.layers.EmbeddingLayer;
import org.deeplearning4j.nn.conf.layers.EmbeddingSequenceLayer;
import org.deeplearning4j.util.ModelSerializer;

/**
 * DL4J as the engine: {@code MultiLayerNetwork} and {@code ComputationGraph} with one input and one
 * output, on the CPU or, with ND4J's CUDA backend on the class path, on GPUs.
 */
public final class Dl4jEngine implements ModelEngine {

  static final String NAME = "dl4j";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public InitialModel define(ModelDefinition definition) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    if (definition instanceof BuiltIn builtIn) {
      return InitialModels.of(builtIn);
    }
    if (definition instanceof Configuration configuration) {
      return InitialModels.of(configuration);
    }
    return InitialModels.of((Archive) definition);
  }

  @Override
  public ExampleShape shapeOf(Path archive) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    return InitialModels.shapeOf(archive);
  }

  /**
   * Decides by the names of layers' classes, which DL4J writes: an embedding may be within another
   * layer.
   */
  @Override
  public boolean takesIds(ModelSpec spec) {
    return hasIds(spec);
  }

  static boolean hasIds(ModelSpec spec) {
    return Stream.of(EmbeddingLayer.class, EmbeddingSequenceLayer.class)
        .anyMatch(layer -> spec.configuration().contains(layer.getName()));
  }

  @Override
  public boolean givesInputGradients(ModelSpec spec) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    return FixedInputs.reason(spec, network(spec.kind(), spec.configuration())).isEmpty();
  }

  @Override
  public boolean recognizes(ArchiveEntries archive) {
    return archive.has(ModelSerializer.CONFIGURATION_JSON);
  }

  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest device) {
    return build(spec, Nd4jRuntime.prepareThread(device));
  }

  /** The replica gives the device back when it is closed; if there is none, this does. */
  static ModelReplica build(ModelSpec spec, DeviceLease device) {
    try {
      Network network = network(spec.kind(), spec.configuration());
      network.init();
      return new Dl4jReplica(spec, network, device);
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file)
      throws IOException {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    ModelSpec spec = model.spec();
    Network network = network(spec.kind(), spec.configuration());
    network.setIteration(Math.toIntExact(model.iteration()));
    ArchiveWriter.write(model, network.toJson(), description, file);
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    return InitialModels.archive(file).model();
  }

  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    return network(kind, configuration).layers().descriptions();
  }

  @Override
  public List<TensorDescription> tensors(String kind, String configuration) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    return network(kind, configuration).layers().tensors();
  }

  @Override
  public VectorLayout layout(ModelSpec spec) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    return Resizing.layout(network(spec.kind(), spec.configuration()));
  }

  @Override
  public InitialModel resized(ModelSpec spec, ExampleShape shape, long seed) {
    Nd4jRuntime.prepareThread(DeviceRequest.guest());
    return Resizing.resized(network(spec.kind(), spec.configuration()), spec.shape(), shape, seed);
  }

  /** Reads the network of a model that may be out of anybody's savepoint. */
  private static Network network(String kind, String configuration) {
    return ConfigurationJson.read(NetworkKind.named(kind), configuration);
  }
}
