package dev.millrace.fields;

import java.util.List;
import java.util.Map;

/** Makes formats of one name. Found by {@link java.util.ServiceLoader}. */
public interface RecordFormatProvider {

  /** Returns the name that {@code input.format} has for it. */
  String name();

  /**
   * Makes a format.
   *
   * @param plan the fields that it finds
   * @param options of the job that begin with {@code input.}, without that
   * @throws IllegalArgumentException if an option is wrong, saying which and what to do
   */
  RecordFormat create(FieldPlan plan, Map<String, String> options);

  /**
   * Makes what turns whole records of the format into JSON objects, for jobs that pass records on.
   *
   * @param options as those of {@link #create}
   * @throws IllegalArgumentException if an option is wrong, or the format can't
   */
  default RecordObjects objects(Map<String, String> options) {
    throw new IllegalArgumentException(
        "The format %s makes no objects of whole records; take another one".formatted(name()));
  }

  /**
   * Lists the fields that a value's schema names, for somebody who describes them; none where there
   * is no schema.
   *
   * @param options as those of {@link #create}
   * @throws IllegalArgumentException if the schema can't be had, saying why
   */
  default List<SchemaField> fields(byte[] value, Map<String, String> options) {
    return List.of();
  }
}
