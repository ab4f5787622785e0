package dev.millrace.job.options;

import dev.millrace.example.ExampleFormat;
import dev.millrace.fields.Envelope;
import dev.millrace.fields.FieldFormat;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldTexts;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.LabelOutputs;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormats;
import dev.millrace.fields.SchemaField;
import dev.millrace.file.FieldTable;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;

/** Records of named fields, as the options describe them. */
public final class InputFields {

  private static final String PREFIX = "input.";

  /** Millrace's own formats, all of whose options are known. */
  private static final Set<String> BUILT_IN =
      Set.of(
          "json",
          "json-confluent",
          "csv",
          "avro",
          "avro-confluent",
          "protobuf",
          "protobuf-confluent");

  private InputFields() {}

  /** Whether records have named fields; otherwise they are arrays of numbers. */
  public static boolean areGiven(Configuration options) {
    return options.contains(InputOptions.FIELDS);
  }

  /**
   * The description, where there is one.
   *
   * @throws InvalidOptionsException if it is none
   */
  public static Optional<FieldsDescription> description(Configuration options) {
    if (!areGiven(options)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          FieldsDescription.parse(
              options.get(InputOptions.FIELDS),
              StructureOptions.sequence(options).orElse(null),
              texts(options),
              table -> TableOptions.dimension(options, table)));
    } catch (IllegalArgumentException e) {
      throw problem(e);
    }
  }

  /** Whether fields are ids; false where there is no description, or a wrong one. */
  public static boolean haveIds(Configuration options) {
    try {
      return description(options).filter(fields -> !fields.columns().ids().isEmpty()).isPresent();
    } catch (InvalidOptionsException e) {
      // The rules of fields tell it.
      return false;
    }
  }

  private static FieldTexts texts(Configuration options) {
    List<String> missing = options.getOptional(InputOptions.MISSING).orElse(List.of());
    try {
      return FieldTexts.of(missing, options.get(InputOptions.DECIMAL).charAt(0));
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(
          List.of("%s is '%s'. %s".formatted(InputOptions.MISSING.key(), missing, e.getMessage())));
    }
  }

  private static InvalidOptionsException problem(IllegalArgumentException e) {
    return new InvalidOptionsException(
        List.of("%s: %s".formatted(InputOptions.FIELDS.key(), e.getMessage())));
  }

  /**
   * Adds what follows from described fields, or from the names of classes, and isn't given:
   * features and outputs.
   */
  public static Configuration complete(Configuration options) {
    if (!areGiven(options)
        && !options.contains(InputOptions.OUTPUTS)
        && options.contains(InputOptions.CLASSES)
        && options.get(InputOptions.TARGET) == Target.CLASSIFICATION) {
      options.set(InputOptions.OUTPUTS, InputOptions.classes(options).size());
    }
    if (areGiven(options)) {
      FieldsDescription fields;
      try {
        fields = description(options).orElseThrow();
      } catch (InvalidOptionsException e) {
        // The rules tell it.
        return options;
      }
      OptionalInt outputs = outputs(fields, options);
      if (!options.contains(InputOptions.OUTPUTS) && outputs.isPresent()) {
        options.set(InputOptions.OUTPUTS, outputs.getAsInt());
      }
      if (!options.contains(InputOptions.FEATURES)) {
        options.set(InputOptions.FEATURES, fields.width());
      }
    }
    return options;
  }

  /** Outputs that the labels and the classes tell. */
  static OptionalInt outputs(FieldsDescription fields, Configuration options) {
    List<ExampleStructure.Output> outputs = StructureOptions.structure(options).outputs();
    if (!outputs.isEmpty()) {
      return OptionalInt.of(outputs.get(outputs.size() - 1).labels().to());
    }
    return LabelOutputs.of(
        fields.labels(), options.get(InputOptions.TARGET), InputOptions.classes(options));
  }

  /** The shape of examples; the options name features and outputs. */
  static ExampleShape shape(FieldsDescription fields, Configuration options) {
    List<ExampleStructure.Output> outputs = StructureOptions.structure(options).outputs();
    return fields.shape(
        outputs.isEmpty() ? options.get(InputOptions.TARGET) : outputs.get(0).target(),
        options.get(InputOptions.OUTPUTS),
        outputs);
  }

  /**
   * The format that reads such records.
   *
   * @param labelled whether examples have labels; else they are passed over
   * @throws InvalidOptionsException if an option of the format is wrong
   */
  static ExampleFormat format(
      FieldsDescription fields, Configuration options, ExampleShape shape, boolean labelled) {
    try {
      RecordFeatures features =
          labelled
              ? RecordFeatures.labelled(fields, shape, InputOptions.classes(options))
              : RecordFeatures.of(fields, shape);
      Envelope envelope = options.get(InputOptions.ENVELOPE);
      return new FieldFormat(
          records(envelope.around(features.plan()), options), features, envelope);
    } catch (IllegalArgumentException e) {
      throw problem(e);
    }
  }

  /**
   * Lists the fields that a value's schema names; none where its format has no schema.
   *
   * @throws InvalidOptionsException if the schema can't be had
   */
  public static List<SchemaField> schema(byte[] value, Configuration options) {
    return formatted(options, format -> RecordFormats.fields(format, value, input(options)));
  }

  /**
   * Makes the format of records, for planned fields.
   *
   * @throws InvalidOptionsException if there is no such format, or an option is wrong
   */
  public static RecordFormat records(FieldPlan plan, Configuration options) {
    return formatted(options, format -> RecordFormats.named(format, plan, input(options)));
  }

  private static <T> T formatted(Configuration options, Function<String, T> what) {
    String format = options.get(InputOptions.FORMAT);
    try {
      return what.apply(format);
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(
          List.of("%s is '%s'. %s".formatted(InputOptions.FORMAT.key(), format, e.getMessage())));
    }
  }

  /**
   * Returns how the rows of a CSV file become such examples.
   *
   * @param shape of the examples
   */
  public static FieldTable table(Configuration options, ExampleShape shape) {
    return new FieldTable(
        description(options).orElseThrow(),
        shape.ofRecords(),
        InputOptions.classes(options),
        CsvOptions.settings(options).separator(),
        options.getOptional(CsvOptions.COLUMNS).orElse(List.of()));
  }

  /**
   * Returns what the options begin with that a format of one's own judges itself: {@code input.}
   * and its name. Nothing where the format is one of Millrace's.
   */
  public static List<String> ownOptions(Configuration options) {
    String format = options.getOptional(InputOptions.FORMAT).orElse("json");
    return BUILT_IN.contains(format) || ExampleFormat.names().contains(format)
        ? List.of()
        : List.of(PREFIX + format + ".");
  }

  /** All options of the input, as formats know them: lists with an element a line. */
  public static Map<String, String> input(Configuration options) {
    Map<String, String> input = new TreeMap<>();
    options
        .toMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(PREFIX)) {
                input.put(key.substring(PREFIX.length()), value);
              }
            });
    options
        .getOptional(CsvOptions.COLUMNS)
        .ifPresent(columns -> input.put("csv.columns", String.join("\n", columns)));
    options
        .getOptional(SchemaRegistryOptions.URL)
        .ifPresent(urls -> input.put("registry.url", String.join("\n", urls)));
    return input;
  }
}
