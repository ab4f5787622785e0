package dev.millrace.example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** JSON objects that have fields of their own names where the format has arrays. */
public final class NamedFields {

  /** Why {@code json} without described fields takes no such object. */
  static final String NO_FEATURES = "\"features\" expected, not found";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHOWN = 8;

  private NamedFields() {}

  /** Returns the names of a record's fields if it was rejected for them; else none. */
  public static List<String> of(RejectedRecord record) {
    List<String> names = new ArrayList<>();
    if (record.reason().equals(NO_FEATURES)) {
      try {
        JsonNode object = JSON.readTree(record.value());
        object.fieldNames().forEachRemaining(names::add);
      } catch (IOException e) {
        throw new IllegalStateException("An object that was read before is no JSON", e);
      }
    }
    return names;
  }

  /** Returns names as messages have them: the first few. */
  public static String text(List<String> names) {
    return names.size() <= SHOWN
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, SHOWN)) + ", …";
  }
}
