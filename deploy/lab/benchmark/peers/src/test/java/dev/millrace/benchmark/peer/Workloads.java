package dev.millrace.benchmark.peer;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolType;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.Type;
import org.bytedeco.pytorch.global.torch;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** A tiny network with three classes that are easy to tell apart. */
@SuppressWarnings("try") // Scopes of native memory: nothing refers to them.
final class Workloads {

  static final int BATCH = 8;

  private Workloads() {}

  static Workload tiny() {
    return new Workload(network(), examples(1, 15 * BATCH));
  }

  /** The same examples, and a PyTorch network of one layer. */
  static Workload torch(Path directory, String updater) {
    Path module = directory.resolve("module.pt");
    try (PointerScope scope = new PointerScope()) {
      JitModule linear =
          new JitModule(new QualifiedName("__torch__.Linear"), new CompilationUnit(), false);
      linear.register_attribute(
          "training", new Type.TypePtr(BoolType.get().get()), new IValue(true));
      Tensor weight = torch.zeros(4, 3);
      weight.requires_grad_(true);
      linear.register_parameter("weight", weight, false);
      linear.define("def forward(self, x):\n    return torch.matmul(x, self.weight)\n");
      linear.save(module.toString());
    }
    return new Workload(
        network(),
        examples(1, 15 * BATCH),
        Optional.of(new TorchNetwork(module.toString(), updater, 0.1, 0.9)));
  }

  static Examples examples(long seed, int count) {
    WorkloadShape shape = new WorkloadShape(4, 3, BATCH, count);
    Random random = new Random(seed);
    float[] features = new float[count * 4];
    float[] labels = new float[count * 3];
    for (int i = 0; i < count; i++) {
      int category = random.nextInt(3);
      for (int column = 0; column < 4; column++) {
        features[i * 4 + column] = (float) random.nextGaussian() / 4 + (column == category ? 1 : 0);
      }
      labels[i * 3 + category] = 1;
    }
    return new Examples(shape, features, labels);
  }

  private static String network() {
    return new NeuralNetConfiguration.Builder()
        .seed(17)
        .updater(new Nesterovs(0.1, 0.9))
        .list()
        .layer(new DenseLayer.Builder().nIn(4).nOut(8).activation(Activation.RELU).build())
        .layer(
            new OutputLayer.Builder(LossFunction.NEGATIVELOGLIKELIHOOD)
                .activation(Activation.SOFTMAX)
                .nIn(8)
                .nOut(3)
                .build())
        .build()
        .toJson();
  }
}
