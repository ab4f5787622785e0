package dev.millrace.job.options;

import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.warned;

import dev.millrace.fields.RecordFormats;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** By which schema records are read whose format doesn't name their fields. */
public final class RecordSchemaOptions {

  public static final ConfigOption<String> AVRO_SCHEMA =
      ConfigOptions.key("input.avro.schema")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The schema that records of the format avro are written with: a file (.avsc) where"
                  + " the job is submitted, or the schema itself as JSON. avro-confluent has"
                  + " schemas from the registry.");

  public static final ConfigOption<String> PROTOBUF_DESCRIPTOR =
      ConfigOptions.key("input.protobuf.descriptor")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "File with the descriptors of protobuf and protobuf-confluent, where the job is"
                  + " submitted: protoc --include_imports --descriptor_set_out=FILE makes one.");

  public static final ConfigOption<String> PROTOBUF_MESSAGE =
      ConfigOptions.key("input.protobuf.message")
          .stringType()
          .noDefaultValue()
          .withDescription("Full name of the message in each record, such as shop.v1.Order.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Avro and Protobuf",
          "The schemas of records whose `input.format` is `avro`, `protobuf` or"
              + " `protobuf-confluent`. They become part of the job, so only who submits it needs"
              + " the files.",
          List.of(
              Setting.of(AVRO_SCHEMA, Range.text("a file, or a schema as JSON")),
              Setting.of(PROTOBUF_DESCRIPTOR, Range.text("a file")),
              Setting.of(PROTOBUF_MESSAGE, Range.text("a message's full name"))));

  /** What acts for one format alone; scoring and training may share a file, so it is only told. */
  public static final List<Dependence> DEPENDENCES =
      Stream.of(
              warned(is(InputOptions.FORMAT, "avro"), AVRO_SCHEMA),
              warned(
                  is(InputOptions.FORMAT, "protobuf", "protobuf-confluent"),
                  PROTOBUF_DESCRIPTOR,
                  PROTOBUF_MESSAGE),
              warned(
                  is(InputOptions.FORMAT, "avro-confluent"),
                  SchemaRegistryOptions.GROUP.settings().stream()
                      .map(Setting::option)
                      .toArray(ConfigOption<?>[]::new)))
          .flatMap(List::stream)
          .toList();

  private RecordSchemaOptions() {}

  /** That the options say what the format needs. */
  static void check(OptionRules rules) {
    String format = rules.options().get(InputOptions.FORMAT);
    if (!InputFields.areGiven(rules.options()) || !RecordFormats.names().contains(format)) {
      return;
    }
    switch (format) {
      case "avro" -> rules.requireFor(format, AVRO_SCHEMA);
      case "avro-confluent" -> {
        rules.requireFor(format, SchemaRegistryOptions.URL);
        SchemaRegistryOptions.check(rules);
      }
      case "protobuf", "protobuf-confluent" -> {
        rules.requireFor(format, PROTOBUF_DESCRIPTOR);
        rules.requireFor(format, PROTOBUF_MESSAGE);
      }
      default -> {}
    }
  }
}
