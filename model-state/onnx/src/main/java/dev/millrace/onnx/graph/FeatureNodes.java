package dev.millrace.onnx.graph;

import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.features.Vocabulary;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.RowFeatures;
import dev.millrace.model.shape.WordColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The way from an example's features as they come to those that a network takes: what {@link
 * dev.millrace.model.FeatureCompletion} does, as nodes. It computes in floats in the same order, so
 * results are the same bit by bit.
 *
 * <p>The inputs are {@link #FEATURES}, as many numbers as an example has features; where examples
 * have words, {@link #WORDS}; and for each field of ids one of its name, the row that the ids' rows
 * make together. What stands in the places of features that a word or a row decides has no effect;
 * where rows decide all of them, there is no {@link #FEATURES}.
 */
public final class FeatureNodes {

  /** [examples, features], or [examples, steps, features of a step]. NaN is a missing number. */
  public static final String FEATURES = "features";

  /** [examples, words], or [examples, steps, words of a step]. */
  public static final String WORDS = "words";

  /**
   * Stands for a missing word. ONNX knows no null, and the empty text is a word. Unicode never
   * assigns this character.
   */
  public static final String MISSING = "\uffff";

  /** Any number of examples, and of steps. */
  public static final String EXAMPLES = "n";

  public static final String STEPS = "steps";

  /** Names of other inputs, and of outputs. */
  private static final List<String> TAKEN = List.of(FEATURES, WORDS, "probabilities", "values");

  private final OnnxGraph graph;
  private final ExampleShape shape;

  private FeatureNodes(OnnxGraph graph, ExampleShape shape) {
    this.graph = graph;
    this.shape = shape;
  }

  /**
   * Adds inputs and nodes, and gives the completed features.
   *
   * @throws InvalidModelException if a field of ids has the name of another input or output
   */
  public static Value add(OnnxGraph graph, ExampleShape shape, LearnedFeatures learned) {
    String before = graph.enter(FEATURES);
    FeatureNodes nodes = new FeatureNodes(graph, shape);
    Value featuresOrNull = takesFeatures(shape) ? nodes.input() : null;
    // Before the first node: fields may have names like those of nodes.
    SortedMap<Integer, Part> rows = nodes.rows();
    Value features =
        featuresOrNull == null
            ? nodes.withParts(null, rows, learned)
            : nodes.completed(featuresOrNull, rows, learned);
    graph.enter(before);
    return features;
  }

  /** Whether there is an input {@link #FEATURES}. */
  public static boolean takesFeatures(ExampleShape shape) {
    return !RowFeatures.others(RowFeatures.rows(shape), shape.features()).isEmpty();
  }

  private Value input() {
    return shape.structure().isSequence()
        ? graph.input(FEATURES, TensorLayout.STEPS, EXAMPLES, STEPS, shape.width())
        : graph.input(FEATURES, TensorLayout.ROWS, EXAMPLES, shape.features());
  }

  private Value completed(Value given, SortedMap<Integer, Part> rows, LearnedFeatures learned) {
    Value features = given;
    if (learned.standardizes()) {
      features = standardized(features, learned.statistics().standardization());
    }
    if (!NumberColumns.areAll(shape)) {
      features = present(features);
    }
    boolean parts = !shape.columns().words().isEmpty() || !shape.columns().ids().isEmpty();
    return parts ? withParts(features, rows, learned) : features;
  }

  private Value standardized(Value features, Standardization standardization) {
    Standardization all = standardization.ofAll(shape);
    int width = all.mean().length;
    Value centred = graph.node("Sub", features, graph.constant("mean", all.mean(), width));
    Value scaled = graph.node("Div", centred, graph.constant("scale", all.scale(), width));
    if (Float.isInfinite(all.clip())) {
      return scaled;
    }
    float[] most = new float[width];
    Arrays.fill(most, Float.POSITIVE_INFINITY);
    for (IndexRange range : NumberColumns.ranges(shape)) {
      Arrays.fill(most, range.from(), range.to(), all.clip());
    }
    float[] least = new float[width];
    for (int i = 0; i < width; i++) {
      least[i] = -most[i];
    }
    Value above = graph.node("Max", scaled, graph.constant("least", least, width));
    return graph.node("Min", above, graph.constant("most", most, width));
  }

  /** A missing number is 0. */
  private Value present(Value features) {
    boolean[] numbers = new boolean[shape.width()];
    for (IndexRange range : NumberColumns.ranges(shape)) {
      Arrays.fill(numbers, range.from(), range.to(), true);
    }
    Value missing =
        graph.node("And", graph.node("IsNaN", features), graph.booleans("numbers", numbers));
    return graph.node("Where", missing, graph.constant("zero", 0), features).as(features.form());
  }

  /** Puts what words and rows decide in its places; what lies between them stays. */
  private Value withParts(
      Value featuresOrNull, SortedMap<Integer, Part> rows, LearnedFeatures learned) {
    SortedMap<Integer, Part> decided = new TreeMap<>(rows);
    addWords(decided, learned);
    List<Value> parts = new ArrayList<>();
    int done = 0;
    for (Map.Entry<Integer, Part> part : decided.entrySet()) {
      if (part.getKey() > done) {
        parts.add(slice(graph, featuresOrNull, done, part.getKey()));
      }
      parts.add(part.getValue().value());
      done = part.getKey() + part.getValue().width();
    }
    if (done < shape.width()) {
      parts.add(slice(graph, featuresOrNull, done, shape.width()));
    }
    return graph
        .node("Concat", Map.of("axis", -1L), parts.toArray(Value[]::new))
        .as(shape.structure().isSequence() ? TensorLayout.STEPS : TensorLayout.ROWS);
  }

  /** Some neighbouring features, by the place of the first. */
  private record Part(Value value, int width) {}

  private void addWords(Map<Integer, Part> decided, LearnedFeatures learned) {
    List<WordColumn> columns = shape.columns().words();
    if (columns.isEmpty()) {
      return;
    }
    Value words =
        shape.structure().isSequence()
            ? graph.words(WORDS, EXAMPLES, STEPS, columns.size())
            : graph.words(WORDS, EXAMPLES, columns.size());
    for (int i = 0; i < columns.size(); i++) {
      WordColumn column = columns.get(i);
      Value features = wordFeatures(words, i, column, learned.vocabularies().of(i));
      decided.put(column.from(), new Part(features, column.width()));
    }
  }

  /** Adds the inputs of rows. */
  private SortedMap<Integer, Part> rows() {
    SortedMap<Integer, Part> rows = new TreeMap<>();
    for (IdColumn column : shape.columns().ids()) {
      int width = column.features().length();
      if (TAKEN.contains(column.name())) {
        throw new InvalidModelException(
            ("The field \"%s\" of ids can't be an input of a graph of ONNX, in which %s are others'"
                    + " names; give the field another one")
                .formatted(column.name(), TAKEN));
      }
      Value row = graph.input(column.name(), TensorLayout.ROWS, EXAMPLES, width);
      rows.put(column.features().from(), new Part(row, width));
    }
    return rows;
  }

  private Value wordFeatures(Value words, int index, WordColumn column, Vocabulary vocabulary) {
    Value word = graph.node("Gather", Map.of("axis", -1L), words, graph.integers("column", index));
    List<String> keys = new ArrayList<>(List.of(MISSING));
    keys.addAll(vocabulary.words());
    long[] numbers = new long[keys.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (long) WordColumn.MISSING + i;
    }
    Value number =
        graph.node(
            "LabelEncoder",
            Map.of(
                "keys_strings",
                keys.toArray(String[]::new),
                "values_int64s",
                numbers,
                "default_int64",
                (long) WordColumn.OTHER),
            word);
    if (!column.oneHot()) {
      return graph.node("Cast", Map.of("to", 1L), number);
    }
    Value oneHot =
        graph.node(
            "OneHot",
            Map.of("axis", -1L),
            number,
            graph.integer("depth", column.numbers()),
            graph.constant("offAndOn", new float[] {0, 1}, 2));
    // The word's own dimension, of size 1, is now before the numbers'.
    return graph.node("Squeeze", oneHot, graph.integers("axes", -2));
  }

  /** Some neighbouring values of the last dimension. */
  public static Value slice(OnnxGraph graph, Value value, int from, int to) {
    return graph.node(
        "Slice",
        value,
        graph.integers("from", from),
        graph.integers("to", to),
        graph.integers("axis", -1));
  }
}
