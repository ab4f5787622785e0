package dev.millrace.fields;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * What the named fields of a record are, and how an example is made of them.
 *
 * @param features in the order of the features that they become: those of one input of a graph
 *     stand together
 * @param labels one for classification, else one for each output; none where examples have no
 *     labels
 * @param weightOrNull how much the example counts
 * @param idOrNull the producer's name for the example
 * @param timestampOrNull when it happened
 * @param timestampUnit of a timestamp that is a number
 * @param sequenceOrNull null where examples are no sequences
 * @param texts what texts of records stand for
 */
public record FieldsDescription(
    List<FeatureField> features,
    List<LabelField> labels,
    FieldSource weightOrNull,
    FieldSource idOrNull,
    FieldSource timestampOrNull,
    TimeUnit timestampUnit,
    SequenceFields sequenceOrNull,
    FieldTexts texts)
    implements Serializable {

  static final String MISSING = "missing";
  static final String DECIMAL = "decimal";

  /**
   * @throws IllegalArgumentException if there is no feature, or fields don't go together
   */
  public FieldsDescription {
    Objects.requireNonNull(texts, "texts");
    features = byInput(features);
    labels = List.copyOf(labels);
    if (features.isEmpty()) {
      throw new IllegalArgumentException("At least one field must become features");
    }
    Set<String> names = new LinkedHashSet<>();
    for (FeatureField field : features) {
      if (!names.add(field.source().name())) {
        throw new IllegalArgumentException(
            "Two fields are called \"%s\"; give one of them another name"
                .formatted(field.source().name()));
      }
    }
    FieldScopes.check(features, labels, weightOrNull, idOrNull, timestampOrNull, sequenceOrNull);
    List<FieldSource> others =
        Stream.concat(
                labels.stream().map(LabelField::source),
                Stream.of(weightOrNull, idOrNull, timestampOrNull).filter(Objects::nonNull))
            .toList();
    IdRules.check(features, others, sequenceOrNull);
  }

  /**
   * Reads a list of fields.
   *
   * @param json an array, one object a field
   * @param sequenceOrNull null where examples are no sequences
   * @throws IllegalArgumentException if it is none, saying which field and what to do
   */
  public static FieldsDescription parse(String json, SequenceFields sequenceOrNull) {
    return parse(json, sequenceOrNull, FieldTexts.DEFAULT);
  }

  /** Parses a description of records in which {@code texts} say what a text stands for. */
  public static FieldsDescription parse(
      String json, SequenceFields sequenceOrNull, FieldTexts texts) {
    return parse(json, sequenceOrNull, texts, TableDimensions.USUAL);
  }

  /**
   * Parses a description of records with ids.
   *
   * @param dimensions of tables, for fields that don't say it themselves
   */
  public static FieldsDescription parse(
      String json,
      SequenceFields sequenceOrNull,
      FieldTexts texts,
      ToIntFunction<String> dimensions) {
    return new DescriptionReader(json, dimensions).read(sequenceOrNull, texts);
  }

  /**
   * Reads what {@link #canonical} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static FieldsDescription ofCanonical(String json) {
    return DescriptionReader.ofCanonical(json);
  }

  /** Puts the features of one input together, in the order in which inputs are named first. */
  private static List<FeatureField> byInput(List<FeatureField> fields) {
    Map<String, List<FeatureField>> inputs = new LinkedHashMap<>();
    for (FeatureField field : fields) {
      inputs.computeIfAbsent(field.source().input(), input -> new ArrayList<>()).add(field);
    }
    if (inputs.size() > 1 && inputs.containsKey("")) {
      throw new IllegalArgumentException(
          "\"%s\" has no input, and other fields have; name the input of each or of none"
              .formatted(inputs.get("").get(0).source().name()));
    }
    return inputs.values().stream().flatMap(List::stream).toList();
  }

  public Optional<SequenceFields> sequence() {
    return Optional.ofNullable(sequenceOrNull);
  }

  /** Features of a record, or of each step of a sequence. */
  public int width() {
    return features.stream().mapToInt(FeatureField::width).reduce(0, Math::addExact);
  }

  /** The inputs of a graph that fields are for, and how many features each has; in order. */
  public Map<String, Integer> inputs() {
    Map<String, Integer> inputs = new LinkedHashMap<>();
    for (FeatureField field : features) {
      if (!field.source().input().isEmpty()) {
        inputs.merge(field.source().input(), field.width(), Integer::sum);
      }
    }
    return inputs;
  }

  /** Names of all features of a record, or of each step, in order. */
  public List<String> names() {
    return features.stream().flatMap(field -> field.names().stream()).toList();
  }

  /**
   * The features' part, as JSON that is equal where the features are: with all defaults, in a fixed
   * order. Labels, weights, ids and timestamps may change while a model learns; they aren't in it.
   */
  public String canonical() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode fields = node.putArray("fields");
    features.forEach(field -> fields.add(FieldWriter.write(field)));
    if (sequenceOrNull != null) {
      node.putObject("sequence")
          .put("path", sequenceOrNull.path().toString())
          .put("steps", sequenceOrNull.steps());
    }
    if (!texts.missing().isEmpty()) {
      ArrayNode missing = node.putArray(MISSING);
      texts.missing().stream().sorted().forEach(missing::add);
    }
    if (texts.decimal() != FieldTexts.DEFAULT.decimal()) {
      node.put(DECIMAL, String.valueOf(texts.decimal()));
    }
    return node.toString();
  }

  /** Returns what is learned of the features. */
  public FeatureColumns columns() {
    List<IndexRange> numbers = new ArrayList<>();
    List<WordColumn> words = new ArrayList<>();
    List<IdColumn> ids = new ArrayList<>();
    int from = 0;
    for (FeatureField field : features) {
      if (field instanceof NumberField number && number.isLearned()) {
        add(numbers, from);
      } else if (field instanceof LearnedCategory category) {
        words.add(category.column(from));
      } else if (field instanceof IdFeature id) {
        ids.add(id.column(from));
      }
      from += field.width();
    }
    return new FeatureColumns(canonical(), numbers, words, ids);
  }

  /** Neighbours become one range. */
  private static void add(List<IndexRange> numbers, int feature) {
    int last = numbers.size() - 1;
    if (last >= 0 && numbers.get(last).to() == feature) {
      numbers.set(last, new IndexRange(numbers.get(last).from(), feature + 1));
    } else {
      numbers.add(new IndexRange(feature, feature + 1));
    }
  }

  /** The shape of examples. */
  public ExampleShape shape(Target target, int outputs) {
    return shape(target, outputs, List.of());
  }

  /**
   * The shape of examples for a graph.
   *
   * @param parts of the labels that its outputs have; none where there is one output
   */
  public ExampleShape shape(Target target, int outputs, List<ExampleStructure.Output> parts) {
    int steps = sequenceOrNull == null ? 0 : sequenceOrNull.steps();
    List<ExampleStructure.Input> inputs = new ArrayList<>();
    int from = 0;
    for (Map.Entry<String, Integer> input : inputs().entrySet()) {
      int to = Math.addExact(from, input.getValue());
      inputs.add(new ExampleStructure.Input(input.getKey(), new IndexRange(from, to)));
      from = to;
    }
    return new ExampleShape(
        Math.multiplyExact(width(), Math.max(1, steps)),
        outputs,
        target,
        columns(),
        new ExampleStructure(
            steps, sequenceOrNull != null && sequenceOrNull.labelPerStep(), inputs, parts));
  }
}
