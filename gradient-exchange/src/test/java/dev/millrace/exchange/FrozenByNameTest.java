package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.LockStepJob.Ways;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.freeze.FrozenLayers;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Replicas;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Layers that options freeze stay as they are, bit by bit, whatever the exchange does. */
class FrozenByNameTest {

  private static final ModelEngine ENGINE = ModelEngine.named("dl4j");
  private static final ExampleShape SHAPE = new ExampleShape(6, 3, Target.CLASSIFICATION);
  private static final RateFactors RATES = new RateFactors(4, 2, 1, 200);

  /** Rounds, and a step whose change is still with the replicas. */
  private static final int STEPS = 4 * LockStepJob.LOCAL_STEPS + 1;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);
  private final InitialModel model =
      ENGINE.define(new BuiltIn("mlp", SHAPE, List.of(9, 8), List.of(), "adam", 0.02, 0.9, 0.1, 1));

  static Stream<Ways> ways() {
    return FrozenLayerTest.ways();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void fromTheBeginning(Ways ways) throws IOException {
    InitialModel frozen = frozen("all-but-output");
    LockStepJob job = new LockStepJob(frozen, ways, 3, RATES);
    learn(job, 3);
    requireSame(frozen.spec(), global(job), frozen.vector());
    requireReplicas(job, frozen.vector());

    LockStepJob rescaled = job.restored(2, RATES);
    learn(rescaled, 2);
    requireSame(frozen.spec(), global(rescaled), frozen.vector());
    requireReplicas(rescaled, frozen.vector());
  }

  /** What was learned before, and is with replicas, codecs and server optimizers, moves nothing. */
  @ParameterizedTest
  @MethodSource("ways")
  void fromACheckpointOn(Ways ways) throws IOException {
    LockStepJob before = new LockStepJob(model, ways, 3, RATES);
    learn(before, 3);
    float[] then = global(before);
    InitialModel frozen = frozen("layer0", "layer1");

    LockStepJob after = before.restored(frozen, 2, RATES);
    learn(after, 2);

    requireSame(frozen.spec(), global(after), then);
    assertThat(outOf(frozen.spec(), then)).isNotEqualTo(outOf(frozen.spec(), model.vector()));
    LockStepJob again = after.restored(model, 2, RATES);
    learn(again, 2);
    assertThat(outOf(frozen.spec(), global(again)))
        .as("learns again, seed %s", seed)
        .isNotEqualTo(outOf(frozen.spec(), then));
  }

  /** Nothing waits to be contributed that the model would not take. */
  @Test
  void replicasHaveThemAtOnceToo() throws IOException {
    LockStepJob before = new LockStepJob(model, Ways.of(Codec.topK(0.2)), 3, RATES);
    learn(before, 3);
    float[] then = global(before);

    LockStepJob after = before.restored(frozen("layer1"), 2, RATES);
    requireReplicas(after, then);
    learn(after, 2);
    requireReplicas(after, then);
  }

  private InitialModel frozen(String... names) {
    ModelSpec spec = FrozenLayers.in(ENGINE, model.spec(), List.of(names));
    return new InitialModel(spec, model.vector(), 0, null);
  }

  private void learn(LockStepJob job, int replicas) {
    for (int step = 0; step < STEPS; step++) {
      Minibatch[] minibatches = new Minibatch[replicas];
      Arrays.setAll(minibatches, any -> Replicas.examples(SHAPE, 8, random));
      job.learn(minibatches);
    }
  }

  private float[] global(LockStepJob job) {
    float[] global = new float[model.spec().vectorLength()];
    int from = 0;
    for (GlobalBlock block : job.blocks()) {
      float[] values = block.update().values();
      System.arraycopy(values, 0, global, from, values.length);
      from += values.length;
    }
    return global;
  }

  private void requireReplicas(LockStepJob job, float[] expected) {
    for (RecordedModel replica : job.models()) {
      requireSame(replica.spec(), Replicas.vector(replica), expected);
    }
  }

  private void requireSame(ModelSpec spec, float[] values, float[] expected) {
    assertThat(outOf(spec, values)).as("seed %s", seed).isEqualTo(outOf(spec, expected));
    int from = spec.frozen().parameters().get(spec.frozen().parameters().size() - 1).to();
    assertThat(Arrays.copyOfRange(values, from, spec.parameters()))
        .as("what is trained")
        .isNotEqualTo(Arrays.copyOfRange(model.vector(), from, spec.parameters()));
  }

  private static List<Float> outOf(ModelSpec spec, float[] values) {
    return spec.frozen().parameters().stream().flatMap(range -> boxed(range, values)).toList();
  }

  private static Stream<Float> boxed(IndexRange range, float[] values) {
    return IntStream.range(range.from(), range.to()).mapToObj(i -> values[i]);
  }
}
