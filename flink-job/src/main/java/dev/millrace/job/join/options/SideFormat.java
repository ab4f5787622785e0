package dev.millrace.job.join.options;

import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.fields.RecordFormats;
import dev.millrace.fields.RecordObjects;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.SchemaRegistryOptions;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/**
 * How the records of one side are written. The options are those that {@code input.} has for
 * training, but for the registry, which both sides share with training.
 */
public final class SideFormat {

  public static final SideFormat FEATURES = new SideFormat("features");
  public static final SideFormat LABELS = new SideFormat("labels");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Formats of a join",
          "How each side's records are written: `join.features.` and `join.labels.` with the names"
              + " that `input.` has. `avro-confluent` reads `input.registry.*`.",
          Stream.concat(FEATURES.settings().stream(), LABELS.settings().stream()).toList());

  private static final String REGISTRY = "registry.";

  private final ConfigOption<String> format;
  private final ConfigOption<String> schema;
  private final ConfigOption<String> message;
  private final ConfigOption<String> separator;
  private final ConfigOption<List<String>> columns;

  private SideFormat(String side) {
    String prefix = JoinOptions.PREFIX + side + '.';
    this.format =
        ConfigOptions.key(prefix + "format")
            .stringType()
            .defaultValue("json")
            .withDescription("As input.format, of named fields.");
    this.schema =
        ConfigOptions.key(prefix + "schema")
            .stringType()
            .noDefaultValue()
            .withDescription("As input.schema.");
    this.message =
        ConfigOptions.key(prefix + "protobuf.message")
            .stringType()
            .noDefaultValue()
            .withDescription("As input.protobuf.message.");
    this.separator =
        ConfigOptions.key(prefix + "csv.separator")
            .stringType()
            .defaultValue(CsvOptions.SEPARATOR.defaultValue())
            .withDescription("As input.csv.separator.");
    this.columns =
        ConfigOptions.key(prefix + "csv.columns")
            .stringType()
            .asList()
            .noDefaultValue()
            .withDescription("As input.csv.columns.");
  }

  private List<Setting<?>> settings() {
    List<String> formats = RecordFormats.names();
    return List.of(
        Setting.of(format, Range.text("one of " + String.join(", ", formats), formats::contains)),
        Setting.of(schema, Range.text("a file, or an Avro schema as JSON")),
        Setting.of(message, Range.text("a message's full name")),
        Setting.of(separator, CsvOptions.SEPARATORS),
        Setting.of(columns, CsvOptions.NAMES));
  }

  List<Dependence> dependences() {
    return Stream.of(
            refused(is(format, "avro", "protobuf", "protobuf-confluent"), schema),
            refused(is(format, "protobuf", "protobuf-confluent"), message),
            refused(is(format, "csv"), separator, columns))
        .flatMap(List::stream)
        .toList();
  }

  /** Checks that the options say what the format needs, and that it can be made. */
  void check(OptionRules rules) {
    int before = rules.problems().size();
    switch (rules.options().get(format)) {
      case "avro" -> rules.requireFor(format, schema);
      case "avro-confluent" -> {
        rules.requireFor(format, SchemaRegistryOptions.URL);
        SchemaRegistryOptions.check(rules);
      }
      case "csv" -> rules.requireFor(format, columns);
      case "protobuf", "protobuf-confluent" -> {
        rules.requireFor(format, schema);
        rules.requireFor(format, message);
      }
      default -> {}
    }
    if (rules.problems().size() == before) {
      try {
        objects(rules.options());
      } catch (InvalidOptionsException e) {
        e.problems().forEach(rules::broken);
      }
    }
  }

  /**
   * Makes what turns the side's records into JSON objects.
   *
   * @throws InvalidOptionsException if an option of the format is wrong
   */
  public RecordObjects objects(Configuration options) {
    Map<String, String> given = InputFields.input(options);
    given.keySet().removeIf(key -> !key.startsWith(REGISTRY));
    options.getOptional(schema).ifPresent(value -> given.put("schema", value));
    options.getOptional(message).ifPresent(value -> given.put("protobuf.message", value));
    given.put("csv.separator", options.get(separator));
    options
        .getOptional(columns)
        .ifPresent(value -> given.put("csv.columns", String.join("\n", value)));
    String name = options.get(format);
    try {
      return RecordFormats.objects(name, given);
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(
          List.of("%s is '%s'. %s".formatted(format.key(), name, e.getMessage())));
    }
  }
}
