package dev.millrace.registry;

import java.util.List;

/**
 * A schema as a registry has it.
 *
 * @param type as the registry names it: {@code AVRO}, {@code PROTOBUF} or {@code JSON}
 * @param references the schemas that it names, and those that they name, each behind all that it
 *     names itself
 * @param names what each of these is imported as
 * @param schema its own text
 */
public record SchemaTexts(String type, List<String> references, List<String> names, String schema) {

  /** Longer ones aren't read: people's are some hundred times shorter. */
  public static final int MOST_CHARACTERS = 1_000_000;

  public SchemaTexts {
    references = List.copyOf(references);
    names = List.copyOf(names);
  }

  /** Makes one whose references aren't imported by name. */
  public SchemaTexts(String type, List<String> references, String schema) {
    this(type, references, references.stream().map(any -> "").toList(), schema);
  }

  /** Characters of all texts together. */
  public long length() {
    return references.stream().mapToLong(String::length).sum() + schema.length();
  }
}
