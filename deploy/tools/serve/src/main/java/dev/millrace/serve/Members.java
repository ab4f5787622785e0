package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * The members of an object in a request, one after the other: those that the protocol has for it,
 * each at most once. One that is null is absent, as typed clients write it.
 */
final class Members {

  private final JsonParser parser;
  private final String where;
  private final Set<String> known;
  private final Skipped skipped;
  private final Set<String> had = new HashSet<>();

  /**
   * @param parser at the object's begin
   * @param where it stands in the request, for messages
   */
  Members(JsonParser parser, String where, Set<String> known, Skipped skipped) {
    this.parser = parser;
    this.where = where;
    this.known = known;
    this.skipped = skipped;
  }

  /**
   * Goes to the value of the next one.
   *
   * @return its name, or null at the end of the object
   */
  String nextOrNull() throws IOException, RefusedRequestException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (!known.contains(name)) {
        skipped.pass(parser);
      } else if (!had.add(name)) {
        throw RefusedRequestException.bad(
            "%s has \"%s\" twice; give it once".formatted(where, name));
      } else if (value != JsonToken.VALUE_NULL) {
        return name;
      }
    }
    return null;
  }
}
