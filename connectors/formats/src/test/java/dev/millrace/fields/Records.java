package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;

/** Makes examples of records as a job would. */
final class Records {

  private Records() {}

  /** Features alone, of a JSON object. */
  static Example features(String fields, String json) throws InvalidExampleException {
    FieldsDescription description = FieldsDescription.parse(fields, null);
    return read("json", Map.of(), RecordFeatures.of(description), json);
  }

  static Example labelled(
      String fields, Target target, int outputs, List<String> classes, String json)
      throws InvalidExampleException {
    FieldsDescription description = FieldsDescription.parse(fields, null);
    return read(
        "json",
        Map.of(),
        RecordFeatures.labelled(description, description.shape(target, outputs), classes),
        json);
  }

  static Example read(
      String format, Map<String, String> options, RecordFeatures features, String record)
      throws InvalidExampleException {
    FieldFormat reader =
        new FieldFormat(RecordFormats.named(format, features.plan(), options), features);
    Example example = new Example(features.shape());
    reader.read(record.getBytes(UTF_8), example);
    return example;
  }
}
