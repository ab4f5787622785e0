package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.Steps;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Millrace relies on, of archives of every engine. A subclass names the engine. */
public abstract class ModelArchiveContract {

  private static final ExampleShape SHAPE = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final int FLIPS = 200;
  private static final String DESCRIPTION = "{\"said\":\"ü\"}";

  @TempDir private Path directory;

  protected abstract ModelEngine engine();

  @Test
  void aModelComesBackWhole() throws IOException {
    try (ModelReplica replica = trained()) {
      GlobalModel model = global(replica, Replicas.vector(replica), optimizer(replica));
      Path file = written(model);

      InitialModel back = engine().define(new Archive(file, SHAPE));
      assertThat(back.spec()).isEqualTo(replica.spec());
      assertThat(back.vector()).isEqualTo(model.vector());
      assertThat(back.iteration()).isEqualTo(model.iteration());
      assertStatistics(back.statistics().orElseThrow(), model.statistics());
      assertThat(back.serverOptimizer())
          .usingRecursiveComparison()
          .isEqualTo(model.serverOptimizer());

      ArchivedModel read = engine().readArchive(file);
      assertThat(read.kind()).isEqualTo(replica.spec().kind());
      assertThat(read.parameters()).isEqualTo(replica.spec().parameters());
      assertThat(read.vector()).isEqualTo(model.vector());
      assertThat(read.iteration()).isEqualTo(model.iteration());
      assertThat(read.description()).contains(DESCRIPTION);
      assertStatistics(read.statistics().orElseThrow(), model.statistics());
      assertThat(engine().describe(read.kind(), read.configuration()))
          .isEqualTo(engine().describe(read.kind(), replica.spec().configuration()));
    }
  }

  @Test
  void whatItKnowsOfFieldsComesBackBitByBit() throws IOException {
    ExampleShape shape = FieldShapes.flow(5);
    LearnedFeatures learned = FieldShapes.learned();
    Path file;
    try (ModelReplica replica = Replicas.of(engine(), mlp(shape))) {
      file = written(global(replica, Replicas.vector(replica), learned, optimizer(replica)));
    }

    InitialModel back = engine().define(new Archive(file, shape));
    assertThat(bytes(back.learned().orElseThrow())).isEqualTo(bytes(learned));
    assertThat(bytes(engine().readArchive(file).learned().orElseThrow())).isEqualTo(bytes(learned));
    assertThatThrownBy(() -> engine().define(new Archive(file, FieldShapes.renamed(5))))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(file.toString(), "field 1 is", "\"flag\"", "\"urgent\"");
    ExampleShape plain = new ExampleShape(FieldShapes.WIDTH, 5, Target.CLASSIFICATION);
    assertThatThrownBy(() -> engine().define(new Archive(file, plain)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("the examples have none");
  }

  @Test
  void anArrayOfNumbersDoesntBecomeFields() throws IOException {
    ExampleShape plain = new ExampleShape(FieldShapes.WIDTH, 5, Target.CLASSIFICATION);
    LearnedFeatures learned =
        LearnedFeatures.of(
            FeatureStatistics.of(50, new double[FieldShapes.WIDTH], new double[FieldShapes.WIDTH]));
    Path file;
    try (ModelReplica replica = Replicas.of(engine(), mlp(plain))) {
      file = written(global(replica, Replicas.vector(replica), learned, optimizer(replica)));
    }

    assertThatThrownBy(() -> engine().define(new Archive(file, FieldShapes.flow(5))))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("an array of numbers, and the examples have named fields");
  }

  private static byte[] bytes(LearnedFeatures learned) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LearnedFeatures.WIRE.write(learned, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static void assertStatistics(FeatureStatistics back, FeatureStatistics written) {
    assertThat(back.count()).isEqualTo(written.count());
    assertThat(back.clip()).isEqualTo(written.clip());
    for (int i = 0; i < SHAPE.features(); i++) {
      assertThat(back.mean(i)).isEqualTo(written.mean(i));
      assertThat(back.deviation(i)).isEqualTo(written.deviation(i));
    }
  }

  @Test
  void trainingGoesOnFromItBitForBit() throws IOException {
    Minibatch minibatch = Replicas.examples(SHAPE, 8, new Random(9));
    try (ModelReplica replica = trained()) {
      Path file = written(global(replica, Replicas.vector(replica), ServerOptimizerState.NONE));
      InitialModel model = engine().define(new Archive(file, SHAPE));
      try (ModelReplica again = Replicas.of(engine(), model)) {
        for (int step = 0; step < 5; step++) {
          assertThat(Replicas.predict(again, minibatch))
              .isEqualTo(Replicas.predict(replica, minibatch));
          Replicas.fit(replica, minibatch);
          Replicas.fit(again, minibatch);
        }
        assertThat(Replicas.vector(again)).isEqualTo(Replicas.vector(replica));
      }
    }
  }

  /** As a moving average has them: the updater begins with the state that it begins with. */
  @Test
  void parametersAloneComeBackWithoutUpdaterState() throws IOException {
    try (ModelReplica replica = trained()) {
      int parameters = replica.spec().parameters();
      float[] alone = Arrays.copyOf(Replicas.vector(replica), parameters);
      Path file = written(global(replica, alone, ServerOptimizerState.NONE));

      assertThat(engine().readArchive(file).vector()).isEqualTo(alone);
      InitialModel model = engine().define(new Archive(file, SHAPE));
      assertThat(model.spec()).isEqualTo(replica.spec());
      assertThat(model.vector()).startsWith(alone).hasSize(replica.spec().vectorLength());
      assertThat(Arrays.copyOfRange(model.vector(), parameters, model.vector().length))
          .containsOnly(0);
    }
  }

  @Test
  void layersShareOutAllParametersInTheirOrder() {
    InitialModel model = mlp();
    int next = 0;
    for (LayerDescription layer :
        engine().describe(model.spec().kind(), model.spec().configuration())) {
      assertThat(layer.parameters().from()).isEqualTo(next);
      next = layer.parameters().to();
    }
    assertThat(next).isEqualTo(model.spec().parameters());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.5, 0.99})
  void aTruncatedOneIsRefused(double part) throws IOException {
    Path whole = trainedArchive();
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = directory.resolve("cut.zip");
    Files.write(cut, Arrays.copyOf(bytes, (int) (part * bytes.length)));

    assertRefused(cut, SHAPE);
  }

  /** Any bit of the file: refused, or of no meaning for what the network computes. */
  @Test
  void aFlippedBitIsNeverAnotherNetwork() throws IOException {
    Path whole = trainedArchive();
    ArchivedModel expected = engine().readArchive(whole);
    byte[] bytes = Files.readAllBytes(whole);
    Path flipped = directory.resolve("flipped.zip");
    long seed = Seeds.next();
    Random random = new Random(seed);
    int refused = 0;
    for (int attempt = 0; attempt < FLIPS; attempt++) {
      int at = random.nextInt(bytes.length);
      int bit = 1 << random.nextInt(8);
      bytes[at] ^= (byte) bit;
      Files.write(flipped, bytes);
      bytes[at] ^= (byte) bit;
      try {
        ArchivedModel read = engine().readArchive(flipped);
        assertThat(sameNetwork(read, expected)).as("seed %d, byte %d", seed, at).isTrue();
      } catch (InvalidModelException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining(flipped.toString());
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isGreaterThan(FLIPS / 2);
  }

  private static boolean sameNetwork(ArchivedModel one, ArchivedModel other) {
    return one.configuration().equals(other.configuration())
        && one.parameters() == other.parameters()
        && Arrays.equals(one.vector(), 0, one.parameters(), other.vector(), 0, other.parameters());
  }

  @Test
  void whatIsNoArchiveOfTheShapeIsRefused() throws IOException {
    Path whole = trainedArchive();

    assertRefused(whole, new ExampleShape(13, 5, Target.CLASSIFICATION));
    assertRefused(whole, new ExampleShape(12, 4, Target.CLASSIFICATION));
    assertRefused(directory.resolve("absent.zip"), SHAPE);
    assertRefused(Files.writeString(directory.resolve("text.zip"), "no model at all"), SHAPE);
  }

  private void assertRefused(Path file, ExampleShape shape) {
    assertThatThrownBy(() -> engine().define(new Archive(file, shape)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(file.getFileName().toString());
  }

  private Path trainedArchive() throws IOException {
    try (ModelReplica replica = trained()) {
      return written(global(replica, Replicas.vector(replica), optimizer(replica)));
    }
  }

  private Path written(GlobalModel model) throws IOException {
    Path file = directory.resolve("model.zip");
    engine().writeArchive(model, Optional.of(DESCRIPTION), file);
    return file;
  }

  private ModelReplica trained() {
    ModelReplica replica = Replicas.of(engine(), mlp());
    Random random = new Random(4);
    for (int step = 0; step < 3; step++) {
      Replicas.fit(replica, Replicas.examples(SHAPE, 8, random));
    }
    replica.setSteps(new Steps(3, 3));
    return replica;
  }

  private InitialModel mlp() {
    return mlp(SHAPE);
  }

  private InitialModel mlp(ExampleShape shape) {
    return engine()
        .define(new BuiltIn("mlp", shape, List.of(16, 8), List.of(), "adam", 0.01, 0.9, 5e-4, 42));
  }

  private static ServerOptimizerState optimizer(ModelReplica replica) {
    float[] slot = new float[replica.spec().parameters()];
    Arrays.fill(slot, 0.25f);
    return new ServerOptimizerState(List.of(slot, slot.clone()), 70);
  }

  private static GlobalModel global(
      ModelReplica replica, float[] vector, ServerOptimizerState optimizer) {
    double[] means = new double[SHAPE.features()];
    double[] deviations = new double[SHAPE.features()];
    Arrays.fill(means, 3);
    Arrays.fill(deviations, 2);
    FeatureStatistics statistics = FeatureStatistics.of(50, means, deviations);
    statistics.setClip(7);
    return global(replica, vector, LearnedFeatures.of(statistics), optimizer);
  }

  private static GlobalModel global(
      ModelReplica replica,
      float[] vector,
      LearnedFeatures learned,
      ServerOptimizerState optimizer) {
    return new GlobalModel(
        replica.spec(),
        new ModelVersion(2, 30),
        replica.steps().iteration(),
        vector,
        learned,
        new Ledger(),
        Measures.NONE,
        Lineage.NONE,
        optimizer,
        false);
  }
}
