package dev.millrace.fields;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The formats of named fields that there are: those of Millrace and those of one's own. */
public final class RecordFormats {

  private RecordFormats() {}

  /** Their names, in alphabetical order. */
  public static List<String> names() {
    return providers().map(RecordFormatProvider::name).distinct().sorted().toList();
  }

  /**
   * A format by its name.
   *
   * @param options of the job that begin with {@code input.}, without that
   * @throws IllegalArgumentException if there is none of the name, or an option is wrong
   */
  public static RecordFormat named(String name, FieldPlan plan, Map<String, String> options) {
    return provider(name).create(plan, options);
  }

  /**
   * Makes what turns whole records of a format into JSON objects, as {@link
   * RecordFormatProvider#objects} does.
   *
   * @param name of the format
   * @throws IllegalArgumentException if there is none of the name, or an option is wrong
   */
  public static RecordObjects objects(String name, Map<String, String> options) {
    return provider(name).objects(options);
  }

  /**
   * Lists the fields that a value's schema names, as {@link RecordFormatProvider#fields} does.
   *
   * @param name of the format
   * @throws IllegalArgumentException if there is none of the name, or the schema can't be had
   */
  public static List<SchemaField> fields(String name, byte[] value, Map<String, String> options) {
    return provider(name).fields(value, options);
  }

  private static RecordFormatProvider provider(String name) {
    return providers()
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no format \"%s\" of named fields; known are %s"
                        .formatted(name, String.join(", ", names()))));
  }

  /**
   * Finds formats by the loader of this class, which is the job's: the same interface has to be
   * theirs.
   */
  private static Stream<RecordFormatProvider> providers() {
    return ServiceLoader.load(RecordFormatProvider.class, RecordFormats.class.getClassLoader())
        .stream()
        .map(ServiceLoader.Provider::get);
  }
}
