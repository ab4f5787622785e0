package dev.millrace.cli.proposal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.cli.describe.Sample;
import dev.millrace.cli.describe.SampledRecords;
import dev.millrace.example.WireHeader;
import dev.millrace.fields.Envelope;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.SchemaField;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/**
 * Takes a sample of a topic's records, with what their schema says.
 *
 * @param envelope what is around their fields
 */
record TopicSampling(Sample sample, Envelope envelope) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int LOOKED_AT = 100;

  /**
   * Takes it.
   *
   * @param options that name the format
   */
  static TopicSampling of(SampledRecords.Source source, Configuration options) throws IOException {
    String format = options.get(InputOptions.FORMAT);
    byte[] first = first(source);
    List<SchemaField> schema = first == null ? List.of() : InputFields.schema(first, options);
    Envelope envelope = envelope(source, format, schema, options);
    List<SchemaField> fields =
        schema.stream()
            .filter(field -> field.path().startsWith(envelope.row()))
            .map(field -> field.at(field.path().after(envelope.row())))
            .filter(field -> !field.path().steps().isEmpty())
            .toList();
    Sample sample = SampleOptions.sample(options);
    sample.within(envelope);
    sample.declare(fields);
    try (SampledRecords records = source.open()) {
      switch (format) {
        case "json", "json-confluent" -> {
          while (records.next()) {
            sample.json(object(records.value(), format), records.place());
          }
        }
        case "csv" -> {
          char separator = CsvOptions.settings(options).separator();
          List<String> columns = options.getOptional(CsvOptions.COLUMNS).orElse(List.of());
          while (records.next()) {
            sample.csv(records.value(), separator, columns, records.place());
          }
        }
        default -> read(records, fields, sample, envelope, options);
      }
    }
    return new TopicSampling(sample, envelope);
  }

  private static void read(
      SampledRecords records,
      List<SchemaField> fields,
      Sample sample,
      Envelope envelope,
      Configuration options)
      throws IOException {
    List<FieldPath> paths = fields.stream().map(SchemaField::path).toList();
    FieldPlan plan =
        envelope.around(
            new FieldPlan(
                paths,
                Optional.empty(),
                List.of(),
                paths.stream().map(List::of).toList(),
                arrays(fields)));
    RecordFormat reader = InputFields.records(plan, options);
    FieldValues values = new FieldValues(plan);
    while (records.next()) {
      sample.record(records.value(), fields, reader, values, records.place());
    }
  }

  /** Returns the fields that may be arrays, which the sample looks into. */
  private static Set<Integer> arrays(List<SchemaField> fields) {
    return IntStream.range(0, fields.size())
        .filter(i -> fields.get(i).kind() == SchemaField.Kind.OTHER)
        .boxed()
        .collect(Collectors.toSet());
  }

  private static byte[] first(SampledRecords.Source source) throws IOException {
    try (SampledRecords records = source.open()) {
      return records.next() ? records.value() : null;
    }
  }

  private static byte[] object(byte[] value, String format) {
    return format.equals("json-confluent") && WireHeader.isThere(value)
        ? Arrays.copyOfRange(value, WireHeader.LENGTH, value.length)
        : value;
  }

  private static Envelope envelope(
      SampledRecords.Source source, String format, List<SchemaField> schema, Configuration options)
      throws IOException {
    if (options.contains(InputOptions.ENVELOPE)) {
      return options.get(InputOptions.ENVELOPE);
    }
    List<JsonNode> objects = schema.isEmpty() ? objects(source, format) : List.of();
    return Stream.of(Envelope.DEBEZIUM, Envelope.DEBEZIUM_PAYLOAD)
        .filter(
            envelope -> schema.isEmpty() ? areIn(envelope, objects) : isDeclared(envelope, schema))
        .findFirst()
        .orElse(Envelope.NONE);
  }

  private static boolean isDeclared(Envelope envelope, List<SchemaField> schema) {
    return schema.stream().anyMatch(field -> field.path().equals(envelope.operation()))
        && schema.stream().anyMatch(field -> field.path().startsWith(envelope.row()));
  }

  /** Whether each says what was done, of what source, and has a place for the row. */
  private static boolean areIn(Envelope envelope, List<JsonNode> objects) {
    return !objects.isEmpty()
        && objects.stream()
            .allMatch(
                object -> {
                  JsonNode around = object.at(envelope.root().pointer());
                  return around.path("op").isTextual()
                      && around.has("after")
                      && around.has("source");
                });
  }

  private static List<JsonNode> objects(SampledRecords.Source source, String format)
      throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    if (!format.startsWith("json")) {
      return objects;
    }
    try (SampledRecords records = source.open()) {
      for (int i = 0; i < LOOKED_AT && records.next(); i++) {
        try {
          JsonNode object = JSON.readTree(object(records.value(), format));
          if (object.isObject()) {
            objects.add(object);
          }
        } catch (IOException e) {
          // The sample counts it.
        }
      }
    }
    return objects;
  }
}
