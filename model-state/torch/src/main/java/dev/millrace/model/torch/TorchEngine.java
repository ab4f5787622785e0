package dev.millrace.model.torch;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;

/**
 * PyTorch as the engine: TorchScript modules, by libtorch, on the CPU or, with its build for CUDA,
 * on GPUs. No Python is needed.
 */
public final class TorchEngine implements ModelEngine {

  /** Each TorchScript archive has one, within its only folder. */
  private static final String TORCHSCRIPT_ENTRY = "/constants.pkl";

  @Override
  public String name() {
    return TorchArchive.ENGINE;
  }

  @Override
  public InitialModel define(ModelDefinition definition) {
    TorchRuntime.start();
    return InitialModels.of(definition);
  }

  @Override
  public ExampleShape shapeOf(Path archive) {
    return InitialModels.shapeOf(archive);
  }

  /** Decides by the operations of its forward. */
  @Override
  public boolean takesIds(ModelSpec spec) {
    TorchRuntime.start();
    TorchConfiguration configuration = TorchConfiguration.fromJson(spec.configuration());
    try (PointerScope scope = new PointerScope()) {
      return ForwardCode.takesIds(ModuleArchive.fromText(configuration.module()));
    }
  }

  @Override
  public boolean givesInputGradients(ModelSpec spec) {
    return !takesIds(spec);
  }

  @Override
  public boolean learnsAfter(ModelSpec spec, long iteration) {
    return TorchConfiguration.fromJson(spec.configuration()).training().learnsAfter(iteration);
  }

  /**
   * Its vector is zero until it is written: a spec has no weights.
   *
   * @throws InvalidModelException if the network can't compute on the device
   */
  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest request) {
    TorchConfiguration configuration = TorchConfiguration.fromJson(spec.configuration());
    TorchReplica replica = replica(spec, configuration, TorchRuntime.device(request));
    try {
      replica.verify(configuration.training().precision());
      return replica;
    } catch (RuntimeException | Error e) {
      replica.close();
      throw e;
    }
  }

  private static TorchReplica replica(
      ModelSpec spec, TorchConfiguration configuration, TorchDevice device) {
    try {
      return new TorchReplica(spec, configuration, device);
    } catch (RuntimeException e) {
      device.close();
      throw LibtorchErrors.ofStart(e);
    } catch (Error e) {
      device.close();
      throw e;
    }
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file)
      throws IOException {
    TorchRuntime.start();
    ArchiveWriter.write(model, description, file);
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    TorchRuntime.start();
    return InitialModels.archived(file);
  }

  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    return ModuleLayers.of(TorchConfiguration.fromJson(configuration));
  }

  @Override
  public List<TensorDescription> tensors(String kind, String configuration) {
    return ModuleLayers.tensors(TorchConfiguration.fromJson(configuration));
  }

  @Override
  public VectorLayout layout(ModelSpec spec) {
    return Resizing.layout(TorchConfiguration.fromJson(spec.configuration()), spec.shape());
  }

  @Override
  public InitialModel resized(ModelSpec spec, ExampleShape shape, long seed) {
    TorchRuntime.start();
    return Resizing.resized(
        TorchConfiguration.fromJson(spec.configuration()), spec.shape(), shape, seed);
  }

  @Override
  public int outputsOf(Path archive) {
    TorchRuntime.start();
    return InitialModels.outputsOf(archive);
  }

  @Override
  public boolean recognizes(ArchiveEntries archive) {
    return archive.names().stream().anyMatch(name -> name.endsWith(TORCHSCRIPT_ENTRY));
  }
}
