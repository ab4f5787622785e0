package dev.millrace.fields;

import dev.millrace.example.Example;
import dev.millrace.model.IdLists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Tells the ids of an example. */
final class Ids {

  private Ids() {}

  /** The ids of each field, in order. */
  static List<List<Long>> of(Example example) {
    IdLists ids = example.ids();
    List<List<Long>> fields = new ArrayList<>();
    for (int list = 0; list < ids.rows() * ids.fields(); list++) {
      fields.add(
          LongStream.of(Arrays.copyOfRange(ids.ids(), ids.start(list), ids.start(list + 1)))
              .boxed()
              .toList());
    }
    return fields;
  }

  /** The ids of words in a table. */
  static List<Long> of(String table, String... words) {
    return Arrays.stream(words).map(word -> IdHash.of(table, word)).toList();
  }
}
