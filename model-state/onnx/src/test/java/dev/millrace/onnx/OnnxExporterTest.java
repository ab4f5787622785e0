package dev.millrace.onnx;

import static dev.millrace.onnx.Models.classes;
import static dev.millrace.onnx.Models.flat;
import static dev.millrace.onnx.Models.sequences;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ServableModel;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import dev.millrace.model.testing.RowShapes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;

/** Networks with every kind of layer that is written, of random sizes, by ONNX Runtime. */
class OnnxExporterTest {

  /** Another one draws other sizes, parameters and examples. */
  private static final long SEED = Long.getLong("millrace.seed", 1);

  /** Sums of so many features reach beyond where hard functions end. */
  private static final int MANY = 400;

  private static final int FEW = 6;

  @TempDir private Path directory;

  /** A kind of network, and how one of random sizes is made. */
  record Network(String name, Function<Random, ServableModel> model) {}

  static List<Network> networks() {
    List<Network> all = new ArrayList<>();
    rows(all);
    tables(all);
    images(all);
    sequencesAndGraphs(all);
    otherEngines(all);
    return all;
  }

  private static void rows(List<Network> all) {
    add(all, "linear", r -> Models.builtIn("dl4j", "linear", classes(size(r), 3), List.of(), r));
    add(all, "mlp", r -> Models.builtIn("dl4j", "mlp", classes(size(r), 4), hidden(r), r));
    add(
        all,
        "mlp, multi-label",
        r -> Models.builtIn("dl4j", "mlp", flat(size(r), 3, Target.MULTI_LABEL), hidden(r), r));
    add(
        all,
        "mlp, regression",
        r -> Models.builtIn("dl4j", "mlp", flat(size(r), 2, Target.REGRESSION), hidden(r), r));
    add(
        all,
        "mlp, classes of records before",
        r -> Models.builtIn("dl4j", "mlp", classes(size(r), 3).withLabelLags(2), hidden(r), r));
    add(all, "fields", r -> Models.builtIn("dl4j", "mlp", FieldShapes.flow(3), hidden(r), r));
    for (Activation activation : LayeredNetworks.ACTIVATIONS) {
      // Of cubes of large sums rounding alone would be compared.
      int features = activation == Activation.CUBE ? FEW : MANY;
      add(
          all,
          "activation " + activation,
          r ->
              Models.dl4j(
                  LayeredNetworks.activation(features, activation, r), classes(features, 3), r));
    }
    add(all, "apart", r -> Models.dl4j(LayeredNetworks.apart(6, 3, r), classes(6, 3), r));
    for (boolean locked : new boolean[] {true, false}) {
      add(
          all,
          "batch normalization, locked " + locked,
          r ->
              Models.dl4j(
                  LayeredNetworks.batchNormalization(5, locked, !locked, r), classes(5, 4), r));
    }
    add(
        all,
        "embedding",
        r -> Models.raw(Models.dl4j(LayeredNetworks.embedded(9, r), classes(1, 3), r)));
  }

  private static void tables(List<Network> all) {
    for (String engine : List.of("dl4j", "torch")) {
      for (String name : List.of("deepfm", "wide-deep", "dcn", "mlp")) {
        add(
            all,
            "rows of tables, %s, %s".formatted(name, engine),
            r -> Models.builtIn(engine, name, RowShapes.mixed(3), hidden(r), r));
        add(
            all,
            "rows of tables alone, %s, %s".formatted(name, engine),
            r -> Models.builtIn(engine, name, RowShapes.rowsAlone(1), hidden(r), r));
      }
      add(
          all,
          "two towers, " + engine,
          r ->
              Models.builtIn(
                  engine, "two-tower", RowShapes.towers(2, Target.CLASSIFICATION), hidden(r), r));
    }
  }

  private static void images(List<Network> all) {
    add(all, "lenet", r -> Models.builtIn("dl4j", "lenet", classes(16 * 16, 3), List.of(), r));
    add(
        all,
        "images, windows of the mode Same",
        r -> Models.dl4j(LayeredNetworks.sameMode(9, 10, 2, r), classes(9 * 10 * 2, 3), r));
    for (boolean counted : new boolean[] {true, false}) {
      add(
          all,
          "images with padding, counted " + counted,
          r -> Models.dl4j(LayeredNetworks.padded(8, 7, 3, counted, r), classes(8 * 7 * 3, 3), r));
    }
    for (PoolingType type : PoolingType.values()) {
      add(
          all,
          "images, global pooling " + type,
          r -> Models.dl4j(LayeredNetworks.globalPooling(7, type, r), classes(7 * 7, 3), r));
    }
    for (CNN2DFormat format : CNN2DFormat.values()) {
      add(
          all,
          "square images, " + format,
          r -> Models.dl4j(LayeredNetworks.square(7, 2, format, r), classes(7 * 7 * 2, 3), r));
    }
  }

  private static void sequencesAndGraphs(List<Network> all) {
    add(
        all,
        "LSTM, last step",
        r -> Models.dl4j(LayeredNetworks.lastStep(4, r), sequences(6, 4, 4, false), r));
    add(
        all,
        "Graves' LSTM, each step",
        r -> Models.dl4j(LayeredNetworks.eachStep(3, r), sequences(7, 3, 4, true), r));
    for (PoolingType type : PoolingType.values()) {
      add(
          all,
          "LSTM, pooling of steps " + type,
          r -> Models.dl4j(LayeredNetworks.pooledSteps(3, type, r), sequences(5, 3, 4, false), r));
    }
    add(
        all,
        "dense layers of steps",
        r -> Models.dl4j(LayeredNetworks.denseSteps(3, r), sequences(5, 3, 4, true), r));
    add(
        all,
        "embedding of steps",
        r ->
            Models.raw(
                Models.dl4j(LayeredNetworks.embeddedSteps(9, r), sequences(5, 1, 4, false), r)));
    add(
        all,
        "fields of steps",
        r ->
            Models.dl4j(
                LayeredNetworks.lastStepOfNumber(FieldShapes.WIDTH, r), FieldShapes.flows(4), r));
    add(all, "graph", r -> Models.dl4j(GraphNetworks.twoInputs(r), GraphNetworks.TWO, r));
    add(
        all,
        "graph of a row and a sequence",
        r -> Models.dl4j(GraphNetworks.rowAndSequence(r), GraphNetworks.TWO_OF_STEPS, r));
    add(all, "graph, vertices", r -> Models.dl4j(GraphNetworks.vertices(6, r), classes(6, 3), r));
    add(all, "graph of images", r -> Models.dl4j(GraphNetworks.images(6, r), classes(36, 3), r));
  }

  private static void otherEngines(List<Network> all) {
    add(
        all,
        "torch, linear",
        r -> Models.builtIn("torch", "linear", flat(size(r), 2, Target.REGRESSION), List.of(), r));
    add(
        all,
        "torch, mlp",
        r -> Models.builtIn("torch", "mlp", flat(size(r), 3, Target.MULTI_LABEL), hidden(r), r));
    add(
        all,
        "torch, lenet",
        r -> Models.builtIn("torch", "lenet", classes(18 * 18, 3), List.of(), r));
    add(all, "torch, traced by Python", r -> Models.servable(TracedNetwork.define(), r));
    for (String engine : List.of("dl4j", "torch")) {
      add(all, "population, " + engine, r -> Models.population(engine, classes(size(r), 3), r));
    }
  }

  private static void add(List<Network> all, String name, Function<Random, ServableModel> model) {
    all.add(new Network(name, model));
  }

  private static int size(Random random) {
    return 2 + random.nextInt(30);
  }

  private static List<Integer> hidden(Random random) {
    return List.of(size(random), size(random));
  }

  @TestFactory
  Stream<DynamicTest> onnxRuntimePredictsWhatTheEngineDoes() {
    List<Network> all = networks();
    assertThat(all).hasSizeGreaterThanOrEqualTo(30);
    return all.stream()
        .map(
            network ->
                DynamicTest.dynamicTest(
                    "%s, seed %s".formatted(network.name(), SEED), () -> compare(network)));
  }

  @Test
  void aFieldOfIdsWithTheNameOfAnotherInputIsRefused() {
    IdColumn user = FieldShapes.ids(3).columns().ids().get(0);
    for (String name : List.of("features", "words", "probabilities")) {
      ServableModel model =
          Models.builtIn("dl4j", "mlp", ofIds(renamed(user, name)), List.of(4), new Random(SEED));

      assertThatThrownBy(() -> new OnnxExporter().write(model, directory.resolve("model.onnx")))
          .isInstanceOf(InvalidModelException.class)
          .hasMessageStartingWith("The field \"%s\" of ids can't be an input".formatted(name))
          .hasMessageEndingWith("give the field another one");
    }
    assertThat(directory).isEmptyDirectory();
  }

  /** A node of this name there is, too. */
  @Test
  void aFieldOfIdsMayHaveAnyOtherName() throws IOException {
    IdColumn user = FieldShapes.ids(3).columns().ids().get(0);
    for (String name : List.of("features/Concat", "features/zero", "order[\"unit\"]")) {
      ServableModel model =
          Models.builtIn("dl4j", "mlp", ofIds(renamed(user, name)), List.of(4), new Random(SEED));

      assertThat(new OnnxExporter().write(model, directory.resolve("model.onnx")).rows())
          .isEqualTo(256);
    }
  }

  private static IdColumn renamed(IdColumn column, String name) {
    return new IdColumn(name, column.table(), column.features(), column.pooling());
  }

  private static ExampleShape ofIds(IdColumn column) {
    FeatureColumns columns = FieldShapes.ids(3).columns();
    return new ExampleShape(
        9,
        3,
        Target.CLASSIFICATION,
        new FeatureColumns(columns.description(), List.of(), List.of(), List.of(column)),
        ExampleStructure.FLAT);
  }

  private void compare(Network network) throws IOException {
    ServableModel model = network.model().apply(new Random(SEED));
    Path file = directory.resolve("model.onnx");
    new OnnxExporter().write(model, file);
    Agreement agreement =
        RuntimeCheck.run(model, new ModelGraph(model).ids(), file, SEED, 1, 9, 400, 590);

    assertThat(agreement.rows()).isEqualTo(1000);
    assertThat(agreement.difference()).isLessThanOrEqualTo(agreement.bound());
  }
}
