package dev.millrace.fields;

import dev.millrace.fields.NumberField.Scale;
import dev.millrace.model.shape.IdColumn;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Reads the keys of a field that becomes features, by its kind. */
final class FeatureReader {

  /** More features than these of one field are a mistake. */
  private static final int MOST = 10_000_000;

  private static final int LONGEST_GRAM = 16;
  private static final int MOST_DIMENSION = 65_536;
  private static final int MOST_IDS = 100_000;
  private static final int USUAL_IDS = 1_000;

  private FeatureReader() {}

  static FeatureField read(FieldKeys keys, FieldSource source, ToIntFunction<String> dimensions) {
    List<String> kinds = List.of("number", "category", "boolean", "time", "text", "id", "ids");
    keys.required("kind");
    return switch (keys.oneOf("kind", kinds)) {
      case "number" -> number(keys, source);
      case "category" -> category(keys, source);
      case "boolean" ->
          new BooleanField(DescriptionReader.rejecting(keys, source), keys.flag("indicator"));
      case "time" ->
          new TimeField(
              DescriptionReader.rejecting(keys, source),
              keys.someOf("parts", FieldKeys.all(TimeField.Part.class)),
              DescriptionReader.unit(keys),
              keys.flag("indicator"));
      case "id" -> {
        DescriptionReader.rejecting(keys, source);
        String table = table(keys, source);
        yield new IdField(source, table, dimension(keys, table, dimensions));
      }
      case "ids" -> ids(keys, DescriptionReader.rejecting(keys, source), dimensions);
      default ->
          new TextField(
              DescriptionReader.rejecting(keys, source),
              keys.whole("ngrams", 1, LONGEST_GRAM),
              keys.whole("buckets", 1, MOST));
    };
  }

  private static NumberField number(FieldKeys keys, FieldSource source) {
    Scale scale = keys.oneOf("scale", FieldKeys.all(Scale.class));
    double[] clip = keys.bounds("clip");
    String missing = keys.text("missing").orElse(scale == Scale.NONE ? "reject" : "mean");
    boolean required = missing.equals("reject");
    double stand = Double.NaN;
    if (missing.equals("mean")) {
      if (scale == Scale.NONE) {
        throw keys.wrong("missing", "reject or a number where scale is none: no mean is learned");
      }
    } else if (!required) {
      stand = number(keys);
    }
    FieldSource told =
        new FieldSource(source.path(), source.aliases(), source.name(), source.input(), required);
    return new NumberField(told, scale, clip[0], clip[1], stand, keys.flag("indicator"));
  }

  private static double number(FieldKeys keys) {
    double value;
    try {
      value = keys.number("missing");
    } catch (IllegalArgumentException e) {
      throw keys.wrong("missing", "mean, reject or a number");
    }
    if (Math.abs(value) > Float.MAX_VALUE) {
      throw keys.wrong("missing", "within the range of float");
    }
    return value;
  }

  private static FeatureField category(FieldKeys keys, FieldSource source) {
    DescriptionReader.rejecting(keys, source);
    boolean oneHot = keys.oneOf("encode", List.of("one-hot", "id")).equals("one-hot");
    List<String> given = Stream.of("values", "words", "buckets").filter(keys::has).toList();
    if (given.size() != 1) {
      throw keys.problem(
          "a category has one of values (a given vocabulary), words (how many are learned) and"
              + " buckets (for hashing); %s"
                  .formatted(
                      given.isEmpty() ? "none is there" : String.join(", ", given) + " are"));
    }
    return switch (given.get(0)) {
      case "values" -> new GivenCategory(source, keys.texts("values"), oneHot);
      case "words" -> new LearnedCategory(source, keys.whole("words", 1, MOST), oneHot);
      default -> new HashedCategory(source, keys.whole("buckets", 1, MOST), oneHot);
    };
  }

  private static IdsField ids(
      FieldKeys keys, FieldSource source, ToIntFunction<String> dimensions) {
    String table = table(keys, source);
    return new IdsField(
        source,
        table,
        dimension(keys, table, dimensions),
        keys.oneOf("pooling", List.of(IdColumn.Pooling.MEAN, IdColumn.Pooling.SUM)),
        keys.text("separator").orElse(null),
        keys.has("most") ? keys.whole("most", 1, MOST_IDS) : USUAL_IDS);
  }

  private static String table(FieldKeys keys, FieldSource source) {
    return keys.text("table").orElse(source.name());
  }

  private static int dimension(FieldKeys keys, String table, ToIntFunction<String> dimensions) {
    return keys.has("dimension")
        ? keys.whole("dimension", 1, MOST_DIMENSION)
        : dimensions.applyAsInt(table);
  }
}
