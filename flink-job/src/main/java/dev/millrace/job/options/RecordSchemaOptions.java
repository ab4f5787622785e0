package dev.millrace.job.options;

import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.warned;

import dev.millrace.fields.RecordFormats;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Says by which schema records are read whose format doesn't name their fields. */
public final class RecordSchemaOptions {

  public static final ConfigOption<String> SCHEMA =
      ConfigOptions.key("input.schema")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The records' schema. avro: an .avsc file or JSON. protobuf: a descriptor set"
                  + " from protoc --include_imports.");

  public static final ConfigOption<String> PROTOBUF_MESSAGE =
      ConfigOptions.key("input.protobuf.message")
          .stringType()
          .noDefaultValue()
          .withDescription("Full name of the message, such as shop.v1.Order.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Avro and Protobuf",
          "Schemas become part of the job: only the client needs the files.",
          List.of(
              Setting.of(SCHEMA, Range.text("a file, or an Avro schema as JSON")),
              Setting.of(PROTOBUF_MESSAGE, Range.text("a message's full name"))));

  /** What acts for one format alone; scoring and training may share a file, so it is only told. */
  public static final List<Dependence> DEPENDENCES =
      Stream.of(
              warned(is(InputOptions.FORMAT, "avro", "protobuf", "protobuf-confluent"), SCHEMA),
              warned(is(InputOptions.FORMAT, "protobuf", "protobuf-confluent"), PROTOBUF_MESSAGE),
              warned(
                  is(InputOptions.FORMAT, "avro-confluent"),
                  SchemaRegistryOptions.GROUP.settings().stream()
                      .map(Setting::option)
                      .toArray(ConfigOption<?>[]::new)))
          .flatMap(List::stream)
          .toList();

  private RecordSchemaOptions() {}

  /** Checks that the options say what the format needs. */
  static void check(OptionRules rules) {
    String format = rules.options().get(InputOptions.FORMAT);
    if (!InputFields.areGiven(rules.options()) || !RecordFormats.names().contains(format)) {
      return;
    }
    switch (format) {
      case "avro" -> rules.requireFor(InputOptions.FORMAT, SCHEMA);
      case "avro-confluent" -> {
        rules.requireFor(InputOptions.FORMAT, SchemaRegistryOptions.URL);
        SchemaRegistryOptions.check(rules);
      }
      case "protobuf", "protobuf-confluent" -> {
        rules.requireFor(InputOptions.FORMAT, SCHEMA);
        rules.requireFor(InputOptions.FORMAT, PROTOBUF_MESSAGE);
      }
      default -> {}
    }
  }
}
