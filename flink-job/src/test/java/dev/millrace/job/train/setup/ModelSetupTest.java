package dev.millrace.job.train.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelSetupTest {

  private static final ExampleShape SHAPE = new ExampleShape(2, 3, Target.CLASSIFICATION);

  @TempDir Path directory;

  @Test
  void anArchiveGoesOnUnderItsOwnClasses() throws IOException {
    String named = archive(1, Map.of("input.classes", "a;b;c"));
    String numbered = archive(2, Map.of());

    assertThat(setup(named, "a,b,c").initial().spec().shape()).isEqualTo(SHAPE);
    assertThat(setup(named, null).initial().spec().shape()).isEqualTo(SHAPE);
    assertThat(setup(numbered, "c,b,a").initial().spec().shape()).isEqualTo(SHAPE);
    assertThatThrownBy(() -> setup(named, "c,b,a"))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(named, "[a, b, c]", "[c, b, a]", "input.classes");
  }

  /** An archive of DL4J's or PyTorch's own says nothing of classes. */
  @ParameterizedTest
  @ValueSource(strings = {"dl4j", "torch"})
  void theLastLayerOfAPlainArchiveIsReplaced(String engine) throws IOException {
    ModelEngine library = ModelEngine.named(engine);
    ExampleShape images = new ExampleShape(784, 7, Target.CLASSIFICATION);
    InitialModel made =
        library.define(new BuiltIn("lenet", images, List.of(), List.of(), "adam", 0.1, 0.9, 0, 3));
    Path archive = directory.resolve("plain.zip");
    library.writeArchive(global(made), archive);
    ExampleShape shape = new ExampleShape(784, 3, Target.CLASSIFICATION);
    Map<String, String> options =
        new TreeMap<>(Map.of("model.engine", engine, "model.archive", archive.toString()));

    assertThatThrownBy(() -> ModelSetup.of(OptionReader.configuration(options), shape))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("model.replace-output: true");
    options.put("model.replace-output", "true");
    options.put("model.freeze", "all-but-output");
    StartingModel model = ModelSetup.of(OptionReader.configuration(options), shape);

    ModelSpec spec = model.initial().spec();
    assertThat(spec.shape()).isEqualTo(shape);
    assertThat(spec.frozen().parameters()).isNotEmpty();
    for (IndexRange range : spec.frozen().parameters()) {
      assertThat(Arrays.copyOfRange(model.initial().vector(), range.from(), range.to()))
          .isEqualTo(Arrays.copyOfRange(made.vector(), range.from(), range.to()));
    }
    assertThat(model.grown()).singleElement().extracting(Lineage.Grown::replaced).isNotNull();
    assertThat(model.warnings()).anyMatch(line -> line.contains("new last layer"));
  }

  /** Its own job doesn't train on from it, and its updater state isn't there. */
  @Test
  void aStartFromAMovingAverageIsWarnedOf() throws IOException {
    GlobalModel newest = TellingModels.model(SHAPE, 1);
    GlobalModel average = TellingModels.movingAverage(TellingModels.model(SHAPE, 2));
    TellingModels.publish(directory, newest);
    String ofNewest = directory.resolve("model-1.1.zip").toString();
    assertThat(setup(ofNewest, null).warnings()).isEmpty();

    TellingModels.publish(directory, average);

    for (String place : List.of(directory + "/model-1.2.zip", directory.toString())) {
      assertThat(setup(place, null).warnings())
          .singleElement()
          .asString()
          .contains("model.archive is '%s'".formatted(place), "moving average", "savepoint");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "dl4j, deepfm", "dl4j, wide-deep", "dl4j, dcn", "dl4j, two-tower",
    "torch, deepfm", "torch, wide-deep", "torch, dcn", "torch, two-tower"
  })
  void networksForRowsTakeFieldsOfIds(String engine, String network) {
    boolean towers = network.equals("two-tower");
    Map<String, String> options = new TreeMap<>();
    options.put("model.engine", engine);
    options.put("model.name", network);
    options.put("model.hidden", "8;4");
    options.put("input.format", "json");
    options.put("input.outputs", "2");
    options.put(
        "input.fields",
        ("[{path: user, kind: id, dimension: 4%1$s}, {path: age, kind: number%1$s},"
                + " {path: item, kind: ids, dimension: 4%2$s}, {path: clicked, role: label}]")
            .formatted(towers ? ", input: user" : "", towers ? ", input: item" : ""));
    Configuration read = OptionReader.configuration(options);

    InitialModel model = ModelSetup.of(read, InputOptions.shape(read)).initial();

    assertThat(model.spec().shape().features()).isEqualTo(9);
    List<LayerDescription> layers =
        ModelEngine.named(engine).describe(model.spec().kind(), model.spec().configuration());
    LayerDescription first =
        layers.stream().filter(layer -> layer.parameters().length() > 0).findFirst().orElseThrow();
    assertThat(first.parameters().length()).isEqualTo(towers ? 5 * 8 + 8 : 9 * 8 + 8);

    options.put("input.fields", "[{path: age, kind: number}, {path: clicked, role: label}]");
    Configuration without = OptionReader.configuration(options);
    assertThatThrownBy(() -> ModelSetup.of(without, InputOptions.shape(without)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("no field has the kind id or ids");
  }

  @Test
  void negativesAreOfMinibatchesOfSeveralAndOfTwoClasses() {
    Map<String, String> options =
        new TreeMap<>(
            Map.of(
                "model.name", "two-tower",
                "input.format", "json",
                "input.outputs", "2",
                "model.negatives", "4",
                "batch.size", "1",
                "input.fields",
                    "[{path: user, kind: id, input: user}, {path: item, kind: id, input: item},"
                        + " {path: clicked, role: label}]"));
    Configuration one = OptionReader.configuration(options);
    StartingModel model = ModelSetup.of(one, InputOptions.shape(one));
    assertThat(model.warnings())
        .singleElement()
        .asString()
        .contains("model.negatives is '4', and a minibatch has one example");
    assertThat(TrainingSetup.negatives(one, model.initial().spec())).isEqualTo(4);

    options.put("batch.size", "2");
    options.put("input.outputs", "3");
    Configuration classes = OptionReader.configuration(options);
    StartingModel several = ModelSetup.of(classes, InputOptions.shape(classes));
    assertThat(several.warnings()).isEmpty();
    assertThatThrownBy(() -> TrainingSetup.negatives(classes, several.initial().spec()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("model.negatives is '4'", "3 outputs", "take two classes");
  }

  @Test
  void aScheduleThatHasEndedIsRefused() throws IOException {
    ModelEngine torch = ModelEngine.named("torch");
    Map<String, String> options =
        Map.of(
            "model.engine",
            "torch",
            "model.name",
            "linear",
            "model.learning-rate-schedule",
            "cosine",
            "model.learning-rate-schedule.steps",
            "5");
    InitialModel made = setup(options).initial();
    Path archive = directory.resolve("ended.zip");
    torch.writeArchive(global(made), archive);
    Map<String, String> ended =
        Map.of("model.engine", "torch", "model.archive", archive.toString());

    assertThatThrownBy(() -> setup(ended))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("5 steps", "model.learning-rate-schedule.steps", "constant");
    Map<String, String> constant = new TreeMap<>(ended);
    constant.put("model.learning-rate-schedule", "constant");
    assertThat(setup(constant).initial().iteration()).isEqualTo(5);
  }

  @Test
  void minibatchesOfOneExampleAreWarnedOfWhereTheNetworkNormalizesThem() {
    Map<String, String> normalizing =
        Map.of(
            "model.configuration",
            "../deploy/conf/model-table.json",
            "input.features",
            "8",
            "input.outputs",
            "2");
    assertThat(warnings(normalizing, "1"))
        .singleElement()
        .asString()
        .contains("batch.size is 1", "no variance");
    assertThat(warnings(normalizing, "2")).isEmpty();
    assertThat(warnings(Map.of("model.name", "linear"), "1")).isEmpty();
  }

  private static List<String> warnings(Map<String, String> more, String batchSize) {
    Map<String, String> options = new TreeMap<>(more);
    options.put("batch.size", batchSize);
    ExampleShape shape = new ExampleShape(8, 2, Target.CLASSIFICATION);
    return ModelSetup.of(OptionReader.configuration(options), shape).warnings();
  }

  @Test
  void featuresAreClippedAsTheOptionsSayElseAsTheArchiveWasElseAtTenDeviations()
      throws IOException {
    GlobalModel clipped = TellingModels.model(SHAPE, 1);
    clipped.statistics().setClip(7);
    String sevens = TellingModels.publish(directory, clipped).archive().toString();
    String none = archive(2, Map.of());
    Map<String, String> built = Map.of("model.name", "linear");

    assertThat(clip(built)).isEqualTo(10);
    assertThat(clip(Map.of("model.archive", sevens))).isEqualTo(7);
    assertThat(clip(Map.of("model.archive", none))).isInfinite();
    assertThat(clip(Map.of("model.archive", sevens, "input.clip", "5"))).isEqualTo(5);
    assertThat(clip(Map.of("model.archive", sevens, "input.clip", "0"))).isInfinite();
    assertThat(setup(built).clipOrNull()).as("a savepoint's stays").isNull();
    assertThat(setup(Map.of("model.name", "linear", "input.clip", "5")).clipOrNull()).isEqualTo(5);
    assertThat(setup(Map.of("model.name", "linear", "input.clip", "0")).clipOrNull()).isInfinite();
  }

  @Test
  void aClipOfFeaturesThatAreNotStandardizedIsRefused() {
    assertThatThrownBy(
            () ->
                setup(
                    Map.of("model.name", "linear", "input.standardize", "off", "input.clip", "5")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("input.clip is 5", "aren't standardized", "input.standardize");
  }

  private static double clip(Map<String, String> more) {
    StartingModel model = setup(more);
    assertThat(model.standardizes()).isTrue();
    return model.learned().statistics().clip();
  }

  private static StartingModel setup(Map<String, String> more) {
    Map<String, String> options = new TreeMap<>(more);
    options.put("input.features", "2");
    options.put("input.outputs", "3");
    return ModelSetup.of(OptionReader.configuration(options), SHAPE);
  }

  private String archive(long round, Map<String, String> options) throws IOException {
    GlobalModel model = TellingModels.model(SHAPE, round);
    return TellingModels.publish(directory, TellingModels.trainedWith(options, model))
        .archive()
        .toString();
  }

  private static StartingModel setup(String archive, String classesOrNull) {
    Map<String, String> options = new TreeMap<>(Map.of("model.archive", archive));
    if (classesOrNull != null) {
      options.put("input.classes", classesOrNull);
    }
    return setup(options);
  }

  private static GlobalModel global(InitialModel made) {
    return new GlobalModel(
        made.spec(),
        new ModelVersion(1, 1),
        5,
        made.vector(),
        new FeatureStatistics(0),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }
}
