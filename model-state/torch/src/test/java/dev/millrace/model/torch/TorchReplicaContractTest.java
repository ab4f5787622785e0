package dev.millrace.model.torch;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.ModelReplicaContract;
import dev.millrace.model.testing.Replicas;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolType;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.Type;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;

final class TorchReplicaContractTest extends ModelReplicaContract {

  private static final ExampleShape WORDS = new ExampleShape(1, 3, Target.CLASSIFICATION);

  @TempDir private static Path directory;

  @Override
  protected ModelEngine engine() {
    return new TorchEngine();
  }

  @Override
  protected Stream<Named<InitialModel>> models() throws Exception {
    return Stream.concat(super.models(), Stream.of(Named.of("running statistics", words())));
  }

  /** Its forward pass fails where running statistics have already changed. */
  @Override
  protected Refused refused() {
    return new Refused(words(), Replicas.ofOneFeature(WORDS, 4, 1000, 5));
  }

  /** Its forward pass refuses values above 100, where running statistics have already changed. */
  @Override
  protected Optional<Refused> refusedWithInputGradients() {
    InitialModel model =
        TestReplicas.model(
            TestReplicas.SHAPE,
            TestReplicas.training(UpdaterKind.ADAM),
            TestReplicas::withStatistics);
    Minibatch bad = TestReplicas.examples(TestReplicas.SHAPE, 3, 1);
    bad.features()[4] = 101;
    return Optional.of(new Refused(model, bad));
  }

  /** Its statistics are of effect in its predictions. */
  private InitialModel words() {
    Path file = directory.resolve("words.pt");
    try (PointerScope scope = new PointerScope()) {
      JitModule module =
          new JitModule(new QualifiedName("__torch__.Words"), new CompilationUnit(), false);
      module.register_attribute(
          "training", new Type.TypePtr(BoolType.get().get()), new IValue(true));
      parameter(module, "words", 10, 4);
      parameter(module, "weight", 4, 3);
      module.register_buffer("running_mean", torch.zeros(1));
      module.register_buffer("running_var", torch.ones(1));
      module.define(
          """
          def forward(self, x):
              seen = torch.batch_norm(x, None, None, self.running_mean, self.running_var, \
                  self.training, 0.1, 1e-5, False)
              known = torch.embedding(self.words, (x[:, 0] > 100).long() * 1000)
              return torch.matmul(known, self.weight) * seen
          """);
      module.save(file.toString());
    }
    return engine().define(new Archive(file, WORDS));
  }

  private static void parameter(JitModule module, String name, int rows, int columns) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i + 1) / 2;
    }
    Tensor tensor = Tensor.create(values, rows, columns);
    tensor.requires_grad_(true);
    module.register_parameter(name, tensor, false);
  }
}
