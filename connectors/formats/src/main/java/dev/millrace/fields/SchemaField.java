package dev.millrace.fields;

import java.util.List;

/**
 * A field as a schema describes it.
 *
 * @param words that an enum has, in order; empty where it is none
 * @param isNullable whether a record may lack it
 */
public record SchemaField(FieldPath path, Kind kind, List<String> words, boolean isNullable) {

  /** The kind of its values. */
  public enum Kind {
    /** A number, a text, a truth value, or one of several. */
    VALUE,
    /** A time, read as a number. */
    MILLISECONDS,
    /** A time that only its name says is one, read as a number. */
    MICROSECONDS,
    /** Another one, in smaller parts. */
    NANOSECONDS,
    /** A date that only its name says is one, read as a number. */
    DAYS,
    /** An array, a map, bytes: nothing that can be a feature. */
    OTHER
  }

  public SchemaField {
    words = List.copyOf(words);
  }

  /** Makes one that is no enum. */
  public SchemaField(FieldPath path, Kind kind, boolean isNullable) {
    this(path, kind, List.of(), isNullable);
  }

  /** Returns the same at another path. */
  public SchemaField at(FieldPath other) {
    return new SchemaField(other, kind, words, isNullable);
  }
}
