package dev.millrace.benchmark.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.parameter_iterator;
import org.bytedeco.pytorch.parameter_list;

/**
 * A TorchScript module taught as PyTorch's tutorials do it: minibatches that are tensors already,
 * cross entropy, libtorch's own optimizer. One thread within an operation.
 */
@SuppressWarnings("try") // Scopes of native memory: nothing refers to them.
final class TorchLearner implements Learner {

  private final PointerScope memory = new PointerScope();
  private final int batch;
  private final JitModule module;
  private final Optimizer optimizer;
  private final List<Tensor> features = new ArrayList<>();
  private final List<Tensor> classes = new ArrayList<>();
  private int next;

  /** Must be made on the thread that learns. */
  TorchLearner(TorchNetwork network, Examples examples) {
    torch.set_num_threads(1);
    batch = examples.shape().batch();
    module = torch.load(network.module());
    module.train(true);
    optimizer = optimizer(network, parameters(module));
    for (int i = 0; i < examples.shape().minibatches(); i++) {
      features.add(features(examples, i));
      classes.add(classes(examples, i));
    }
  }

  private static TensorVector parameters(JitModule module) {
    TensorVector parameters = new TensorVector();
    parameter_list all = module.parameters();
    parameter_iterator end = all.end();
    for (parameter_iterator at = all.begin(); at.notEquals(end); at.increment()) {
      parameters.push_back(new Tensor(at.multiply()));
    }
    return parameters;
  }

  private static Optimizer optimizer(TorchNetwork network, TensorVector parameters) {
    if (network.updater().equals("adam")) {
      return new Adam(parameters, new AdamOptions(network.learningRate()));
    }
    SGDOptions options = new SGDOptions(network.learningRate());
    options.momentum().put(network.momentum());
    options.nesterov().put(true);
    return new SGD(parameters, options);
  }

  private static Tensor features(Examples examples, int minibatch) {
    int width = examples.shape().features();
    int rows = examples.shape().batch();
    int from = minibatch * rows * width;
    return Tensor.create(
        Arrays.copyOfRange(examples.features(), from, from + rows * width), rows, width);
  }

  private static Tensor classes(Examples examples, int minibatch) {
    int width = examples.shape().outputs();
    int rows = examples.shape().batch();
    long[] classes = new long[rows];
    for (int row = 0; row < rows; row++) {
      int from = (minibatch * rows + row) * width;
      while (examples.labels()[from + (int) classes[row]] == 0) {
        classes[row]++;
      }
    }
    return Tensor.create(classes, rows);
  }

  @Override
  public void learn(Rounds rounds) {
    for (long learned = 0; rounds.goOn(learned); learned += batch) {
      try (PointerScope step = new PointerScope()) {
        optimizer.zero_grad();
        ofMinibatch(next).backward();
        optimizer.step();
      }
      next = (next + 1) % features.size();
    }
  }

  private Tensor ofMinibatch(int number) {
    Tensor output = module.forward(new IValueVector(new IValue(features.get(number)))).toTensor();
    return torch.cross_entropy(output, classes.get(number));
  }

  /** Returns the loss of the first minibatch, as the network is. */
  double loss() {
    try (PointerScope scope = new PointerScope()) {
      return ofMinibatch(0).item_float();
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
