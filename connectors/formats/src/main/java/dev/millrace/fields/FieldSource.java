package dev.millrace.fields;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Where the value of a described field comes from, and what the field is called.
 *
 * @param path where a record has it
 * @param aliases where it may be instead, as records of older or newer writers have it; the first
 *     that is there counts
 * @param name in messages and in names of features
 * @param input of a graph that its features are for; empty where there is but one
 * @param required whether a record without it is rejected
 */
public record FieldSource(
    FieldPath path, List<FieldPath> aliases, String name, String input, boolean required)
    implements Serializable {

  public FieldSource {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(input, "input");
    aliases = List.copyOf(aliases);
  }

  /** Returns the path and its aliases. */
  Stream<FieldPath> paths() {
    return Stream.concat(Stream.of(path), aliases.stream());
  }
}
