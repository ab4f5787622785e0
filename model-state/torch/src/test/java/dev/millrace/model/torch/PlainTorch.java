package dev.millrace.model.torch;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A module trained as a PyTorch user would write it: tensors of their own, libtorch's optimizer.
 */
final class PlainTorch implements AutoCloseable {

  private final Natives natives = new Natives();
  private final TorchConfiguration configuration;
  private final JitModule module;
  private final TensorVector parameters;
  private final List<Optimizer> optimizers = new ArrayList<>();

  /** Makes an optimizer of tensors; weights have one, biases another. */
  interface Maker {
    Optimizer make(TensorVector tensors, boolean weights);
  }

  PlainTorch(InitialModel model, Maker maker) {
    configuration = TorchConfiguration.fromJson(model.spec().configuration());
    try (PointerScope scope = new PointerScope()) {
      module = natives.keep(ModuleArchive.fromText(configuration.module()));
      ModuleSlots.write(model.vector(), configuration.slots(), module);
      module.train(true);
      parameters = natives.keep(new TensorVector());
      TensorVector weights = natives.keep(new TensorVector());
      TensorVector biases = natives.keep(new TensorVector());
      for (Map.Entry<String, Tensor> named : ModuleTensors.parameters(module).entrySet()) {
        parameters.push_back(named.getValue());
        (named.getValue().dim() > 1 ? weights : biases).push_back(named.getValue());
      }
      optimizers.add(natives.keep(maker.make(weights, true)));
      optimizers.add(natives.keep(maker.make(biases, false)));
    }
  }

  /**
   * @param clip is called with the parameters, whose gradients are there
   */
  void step(Minibatch minibatch, double rate, Consumer<TensorVector> clip) {
    try (PointerScope scope = new PointerScope()) {
      Tensor input = tensor(minibatch.features(), minibatch.size(), minibatch.shape().features());
      Tensor labels = tensor(minibatch.labels(), minibatch.size(), minibatch.shape().outputs());
      Tensor outputs = module.forward(new IValueVector(new IValue(input))).toTensor();
      optimizers.forEach(Optimizer::zero_grad);
      torch.cross_entropy_loss(outputs, labels).backward();
      clip.accept(parameters);
      for (Optimizer optimizer : optimizers) {
        optimizer.param_groups().get(0).options().set_lr(rate);
        optimizer.step();
      }
    }
  }

  /** Parameters and buffers. */
  float[] vector() {
    float[] vector = new float[configuration.parameters()];
    try (PointerScope scope = new PointerScope()) {
      ModuleSlots.read(module, configuration.slots(), vector);
    }
    return vector;
  }

  static Tensor tensor(float[] values, int rows, int width) {
    Tensor tensor = torch.empty(rows, width);
    tensor.data_ptr_float().put(values, 0, rows * width);
    return tensor;
  }

  @Override
  public void close() {
    natives.close();
  }
}
