package dev.millrace.snapshot;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A writer of models, and those that it goes on from.
 *
 * @param ids ids of those that it goes on from, the latest last, and then its own
 * @param inherited the generation of a model that they have left to it to write; -1 if there is
 *     none
 */
public record Writers(List<String> ids, long inherited) {

  public Writers {
    ids = List.copyOf(ids);
  }

  /** Returns a new writer, which goes on from nobody. */
  public static Writers first() {
    return after(List.of(), -1);
  }

  /** Returns a new writer, which goes on from these. */
  public static Writers after(List<String> earlier, long inherited) {
    return new Writers(
        Stream.concat(earlier.stream(), Stream.of(UUID.randomUUID().toString())).toList(),
        inherited);
  }

  /** Returns ids of those that it goes on from. */
  public List<String> earlier() {
    return ids.subList(0, ids.size() - 1);
  }

  boolean has(String writer) {
    return ids.contains(writer);
  }

  /** Whether the writer is one of those that it goes on from. */
  boolean goesOnFrom(String writer) {
    return earlier().contains(writer);
  }

  /**
   * Returns in whose name it claims a generation. An inherited one it claims in the name of the
   * writer before: whoever begins with the same state knows that one, and may not know this one.
   */
  String claimant(long generation) {
    boolean isInherited = generation <= inherited && ids.size() > 1;
    return ids.get(ids.size() - (isInherited ? 2 : 1));
  }
}
