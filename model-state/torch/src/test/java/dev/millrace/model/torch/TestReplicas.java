package dev.millrace.model.torch;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Modules in training, on the CPU. */
final class TestReplicas {

  static final ExampleShape SHAPE = new ExampleShape(6, 3, Target.CLASSIFICATION);

  private static final TorchEngine ENGINE = new TorchEngine();

  private TestReplicas() {}

  static Training training(UpdaterKind updater) {
    return new Training(
        Loss.CROSS_ENTROPY, updater, 0.01, 0.9, 0, 0, null, null, Precision.FLOAT32);
  }

  static InitialModel model(ExampleShape shape, Training training, Supplier<JitModule> made) {
    TorchRuntime.start();
    try (PointerScope scope = new PointerScope()) {
      JitModule module = made.get();
      List<TensorSlot> slots = ModuleSlots.of(module);
      ModelSpec spec =
          new TorchConfiguration(
                  training, slots, ModuleSlots.types(module, slots), ModuleArchive.toText(module))
              .spec(shape);
      float[] vector = new float[spec.vectorLength()];
      ModuleSlots.read(module, slots, vector);
      return new InitialModel(spec, vector, 0, null);
    }
  }

  static ModelReplica replica(InitialModel model) {
    ModelReplica replica =
        ENGINE.build(model.spec(), new DeviceRequest(List.of(), Use.SHARED, Kind.CPU));
    replica.write(0, model.vector(), 0, model.vector().length);
    return replica;
  }

  static float[] vector(ModelReplica replica) {
    float[] vector = new float[replica.spec().vectorLength()];
    replica.read(0, vector, 0, vector.length);
    return vector;
  }

  static float[] fit(ModelReplica replica, Minibatch minibatch) {
    float[] predictions = new float[minibatch.size() * minibatch.shape().outputs()];
    replica.fit(minibatch, predictions);
    return predictions;
  }

  static Minibatch examples(ExampleShape shape, int rows, long seed) {
    Random random = new Random(seed);
    Minibatch minibatch = new Minibatch(shape, rows);
    for (int row = 0; row < rows; row++) {
      float[] labels = new float[shape.outputs()];
      if (shape.target() == Target.CLASSIFICATION) {
        labels[random.nextInt(labels.length)] = 1;
      } else {
        for (int i = 0; i < labels.length; i++) {
          labels[i] = random.nextInt(2);
        }
      }
      minibatch.add(features(shape, random), labels, 1, new Partition("p", 0), row);
    }
    return minibatch;
  }

  private static float[] features(ExampleShape shape, Random random) {
    float[] features = new float[shape.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    return features;
  }

  /** Two dense layers. */
  static JitModule dense() {
    return network("", "");
  }

  /** With dropout between them. */
  static JitModule withDropout() {
    return network("", "x = torch.dropout(x, 0.5, self.training)");
  }

  /** With batch normalization between them, and a refusal of values above 100 behind that. */
  static JitModule withStatistics() {
    return network(
        """
        x = torch.batch_norm(x, self.gain, self.shift, self.running_mean, self.running_var, self.training, 0.1, 1e-5, False)
        assert bool((rows < 100.).all())
        """,
        "");
  }

  /** It adds a product, which autocast has in bfloat16, to float32 where types have to be equal. */
  static JitModule ofFloatsAlone() {
    return network(
        "x = torch.zeros([x.size(0), 8]).index_add(0, torch.arange(x.size(0)), x)\n", "");
  }

  /** It draws in training, by an operation that isn't called so. */
  static JitModule withRandomAttention() {
    return network(
        """
        q = x.view([-1, 1, 4, 2])
        share = 0.0
        if self.training:
          share = 0.5
        x = torch.scaled_dot_product_attention(q, q, q, None, share).reshape([-1, 8])
        """,
        "");
  }

  /** It inverts a matrix of its weights, and counts its steps. */
  static JitModule withInverse() {
    return network(
        """
        x = torch.matmul(x, torch.inverse(self.square)) + self.count
        if self.training:
          self.count.add_(1)
        """,
        "");
  }

  /** It looks rows of its weights up without a layer for that. */
  static JitModule withEmbedding() {
    return network("", "x = x + torch.embedding(self.w1.t(), rows[:, 0].long() * 0).sum()");
  }

  private static JitModule network(String between, String behind) {
    JitModule module = TestModules.module("Net");
    module.register_parameter("w1", TestModules.weights(8, 6), false);
    module.register_parameter("b1", TestModules.weights(8), false);
    if (between.contains("running_mean")) {
      module.register_parameter("gain", torch.ones(8).requires_grad_(true), false);
      module.register_parameter("shift", torch.zeros(8).requires_grad_(true), false);
      module.register_buffer("running_mean", torch.zeros(8));
      module.register_buffer("running_var", torch.ones(8));
    }
    if (between.contains("square")) {
      module.register_parameter("square", TestModules.weights(8, 8), false);
      module.register_buffer("count", torch.zeros(1).to(ScalarType.Long));
    }
    module.register_parameter("w2", TestModules.weights(3, 8), false);
    module.register_parameter("b2", TestModules.weights(3), false);
    module.define(
        "def forward(self, rows):\n"
            + ("x = torch.linear(rows, self.w1, self.b1)\n"
                    + between
                    + "x = torch.relu(x)\n"
                    + behind
                    + "\nreturn torch.linear(x, self.w2, self.b2)\n")
                .indent(2));
    return module;
  }
}
