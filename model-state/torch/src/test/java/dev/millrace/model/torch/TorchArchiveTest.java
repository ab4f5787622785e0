package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning;
import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.population.PopulationEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.PopulationTestEngine;
import dev.millrace.snapshot.ArchiveLabel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written comes back. */
final class TorchArchiveTest {

  private static final ExampleShape SHAPE = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final Learning LEARNING =
      new Learning(
          Optional.empty(),
          Optional.of("nesterovs"),
          Optional.of(0.01),
          Optional.of(0.8),
          Optional.of(5e-4),
          Optional.empty(),
          Optional.of(new Schedule(Schedule.Kind.COSINE, 1000, 1)),
          Optional.of(new GradientClip(5, Double.POSITIVE_INFINITY)),
          Optional.empty());

  @TempDir private Path directory;

  private final FeatureStatistics statistics = new FeatureStatistics(12);
  private final InitialModel model =
      InitialModels.of(new BuiltIn("mlp", SHAPE, List.of(16, 8), List.of(), LEARNING, 42));

  /** A savepoint goes on with the updater whose state it holds. */
  @ParameterizedTest
  @ValueSource(strings = {"nesterovs", "rmsprop", "adagrad", "adam", "adamw"})
  void aLayerNamesItsUpdater(String updater) {
    ModelSpec spec =
        InitialModels.of(
                new BuiltIn("mlp", SHAPE, List.of(16, 8), List.of(), updater, 0.1, 0.9, 0, 42))
            .spec();

    assertThat(new TorchEngine().describe(spec.kind(), spec.configuration()).get(0).updaterName())
        .isEqualTo(updater);
  }

  @Test
  void aModelComesBackWhole() throws IOException {
    Path file = write();

    InitialModel back = InitialModels.of(new Archive(file, SHAPE));
    assertThat(back.spec()).isEqualTo(model.spec());
    assertThat(back.vector()).isEqualTo(vector());
    assertThat(back.iteration()).isEqualTo(7);
    assertThat(back.statistics().orElseThrow().mean(3)).isEqualTo(statistics.mean(3));
    assertThat(back.serverOptimizer().slots()).hasSize(1);
    assertThat(back.serverOptimizer().rounds()).isEqualTo(9);

    ArchivedModel read = InitialModels.archived(file);
    assertThat(read.description()).contains("{\"said\":\"ü\"}");
    assertThat(read.vector()).isEqualTo(vector());
    assertThat(read.configuration()).isEqualTo(model.spec().configuration());
    assertThat(InitialModels.shapeOf(file)).isEqualTo(SHAPE);
  }

  @Test
  void theSameModelMakesTheSameBytes() throws IOException {
    byte[] once = Files.readAllBytes(write());

    assertThat(Files.readAllBytes(write())).isEqualTo(once);
  }

  /** It is told in the archive's folder, not beside it. */
  @Test
  void whatAnArchiveSaysOfItselfIsFound() throws IOException {
    Path file = write();

    try (ArchiveEntries entries = ArchiveEntries.open(file)) {
      assertThat(entries.find("millrace/snapshot.json"))
          .contains("model/extra/millrace/snapshot.json");
      assertThat(CheckedArchive.recognizes(entries)).isTrue();
    }
    // Found, and not a description that this release reads.
    assertThatThrownBy(() -> ArchiveLabel.read(file)).hasMessageContaining("format");
  }

  @Test
  void howItLearnedStaysUnlessTheUserSaysOtherwise() throws IOException {
    Path file = write();
    Learning adamw =
        new Learning(
            Optional.empty(),
            Optional.of("adamw"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    assertThat(training(InitialModels.of(new Archive(file, SHAPE)))).isEqualTo(training(model));
    InitialModel other = InitialModels.of(new Archive(file, SHAPE, adamw));
    assertThat(training(other).updater()).isEqualTo(UpdaterKind.ADAMW);
    assertThat(training(other).weightDecay()).isEqualTo(0.01);
    assertThat(training(other).learningRate()).isEqualTo(0.01);
    assertThat(training(other).scheduleOrNull().kind()).isEqualTo(Schedule.Kind.COSINE);
    int parameters = other.spec().parameters();
    assertThat(other.vector()).startsWith(Arrays.copyOf(vector(), parameters));
    // Another updater's state is of no use to it.
    assertThat(Arrays.copyOfRange(other.vector(), parameters, 3 * parameters)).containsOnly(0);
  }

  @Test
  void aCosineLeavesNoRateOnceItHasEnded() {
    assertThat(new TorchEngine().learnsAfter(model.spec(), 999)).isTrue();
    assertThat(new TorchEngine().learnsAfter(model.spec(), 1000)).isFalse();
    ModelSpec population = PopulationTestEngine.of(List.of(model, model), 0.01, 0.01).spec();
    assertThat(new PopulationEngine().learnsAfter(population, 999)).isTrue();
    assertThat(new PopulationEngine().learnsAfter(population, 1000)).isFalse();
  }

  @Test
  void parametersOfAnotherTypeAreNamed() {
    Path file = directory.resolve("half.pt");
    try (PointerScope scope = new PointerScope()) {
      JitModule module = TestModules.dense(4, 3);
      module.register_parameter("half", torch.ones(2).to(ScalarType.Half), false);
      module.save(file.toString());
    }

    assertThatThrownBy(() -> InitialModels.archived(file))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(file.toString(), "its 'half' isn't of float32", "call float()");
  }

  @Test
  void parametersAloneHaveNoUpdaterState() throws IOException {
    Path file = directory.resolve("average.zip");
    float[] alone = Arrays.copyOf(model.vector(), model.spec().parameters());
    ArchiveWriter.write(
        TestModules.global(
            model.spec(), alone, new FeatureStatistics(0), 7, ServerOptimizerState.NONE),
        Optional.empty(),
        file);

    assertThat(InitialModels.archived(file).vector()).isEqualTo(alone);
    assertThat(InitialModels.of(new Archive(file, SHAPE)).vector())
        .startsWith(alone)
        .hasSize(2 * alone.length);
  }

  @Test
  void statisticsOfOtherFeaturesAreRefused() throws IOException {
    Path file = directory.resolve("other.zip");
    FeatureStatistics other = new FeatureStatistics(11);
    other.add(new float[11], 1);
    ArchiveWriter.write(TestModules.global(model, other, 0), Optional.empty(), file);

    assertThatThrownBy(() -> InitialModels.of(new Archive(file, SHAPE)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("standardizes 11 features, and the examples have 12");
  }

  @Test
  void tensorsHaveTheirNamesAndShapes() {
    assertThat(new TorchEngine().tensors(TorchArchive.KIND, model.spec().configuration()))
        .startsWith(
            new TensorDescription("dense0.weight", List.of(16L, 12L), 0),
            new TensorDescription("dense0.bias", List.of(16L), 16 * 12))
        .hasSize(6);
  }

  /** A savepoint has them in its blocks, and must not have them twice. */
  @Test
  @SuppressWarnings("try") // The resource is a scope.
  void aConfigurationHasNoValues() {
    TorchConfiguration configuration = TorchConfiguration.fromJson(model.spec().configuration());

    assertThat(configuration.toJson()).isEqualTo(model.spec().configuration());
    assertThat(configuration.toJson().length()).isLessThan(20_000);
    try (PointerScope scope = new PointerScope()) {
      ModuleTensors.all(ModuleArchive.fromText(configuration.module()))
          .forEach((name, tensor) -> assertThat(tensor.numel()).as(name).isZero());
    }
  }

  private static Training training(InitialModel of) {
    return TorchConfiguration.fromJson(of.spec().configuration()).training();
  }

  private Path write() throws IOException {
    if (statistics.count() == 0) {
      statistics.add(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 1);
    }
    Path file = directory.resolve("model-0.3.zip");
    ArchiveWriter.write(
        TestModules.global(
            model.spec(),
            vector(),
            statistics,
            7,
            new ServerOptimizerState(List.of(new float[model.spec().parameters()]), 9)),
        Optional.of("{\"said\":\"ü\"}"),
        file);
    return file;
  }

  /** With updater state. */
  private float[] vector() {
    float[] vector = model.vector().clone();
    for (int i = model.spec().parameters(); i < vector.length; i++) {
      vector[i] = i;
    }
    return vector;
  }
}
