package dev.millrace.model.testing;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.TestInstance;

/** An engine that is tested, and models of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EngineContract {

  static final ExampleShape TABLE = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final ExampleShape IMAGE = new ExampleShape(784, 10, Target.CLASSIFICATION);

  /** A model of one feature, and a minibatch that its network can't compute with. */
  public record Refused(InitialModel model, Minibatch minibatch) {}

  protected abstract ModelEngine engine();

  protected abstract Refused refused() throws Exception;

  /** Models to try everything with. */
  protected Stream<Named<InitialModel>> models() throws Exception {
    return Stream.of(
        Named.of("mlp", builtIn("mlp", TABLE, List.of(16, 8), "adam")),
        Named.of("lenet", builtIn("lenet", IMAGE, List.of(), "nesterovs")),
        Named.of("linear", builtIn("linear", TABLE, List.of(), "rmsprop")),
        Named.of("deepfm", builtIn("deepfm", FieldShapes.ids(5), List.of(8, 4), "adam")),
        Named.of("dcn", builtIn("dcn", FieldShapes.ids(5), List.of(8), "adagrad")));
  }

  /** Whether steps grow with learning rates. */
  protected boolean hasLearningRates() {
    return true;
  }

  final InitialModel builtIn(
      String name, ExampleShape shape, List<Integer> hidden, String updater) {
    return engine()
        .define(new BuiltIn(name, shape, hidden, List.of(), updater, 0.01, 0.9, 5e-4, 42));
  }

  final ModelReplica replica(InitialModel model) {
    return Replicas.of(engine(), model);
  }

  /** Of random examples, always the same ones for a seed. */
  static List<Minibatch> minibatches(InitialModel model, long seed, int... sizes) {
    Random random = new Random(seed);
    List<Minibatch> minibatches = new ArrayList<>();
    for (int size : sizes) {
      minibatches.add(Replicas.examples(model.spec().shape(), size, random));
    }
    return minibatches;
  }

  /** The same model by a spec that was written and read, as in a checkpoint. */
  static InitialModel reread(InitialModel model) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(model.spec());
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return new InitialModel((ModelSpec) in.readObject(), model.vector(), model.iteration(), null);
    }
  }
}
