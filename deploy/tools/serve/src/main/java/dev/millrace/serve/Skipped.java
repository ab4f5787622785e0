package dev.millrace.serve;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Passes over what a request has that this server doesn't look at, up to a number of values: a
 * client that sends millions keeps no thread busy.
 *
 * <p>Belongs to one request.
 */
final class Skipped {

  static final int MOST = 10_000;

  private int count;

  /**
   * Passes over the value that the parser stands at.
   *
   * @throws RefusedRequestException if there were too many
   */
  void pass(JsonParser parser) throws IOException, RefusedRequestException {
    int depth = 0;
    JsonToken token = parser.currentToken();
    while (true) {
      count++;
      if (count > MOST) {
        throw RefusedRequestException.bad(
            "The request has more than %s names and values that this server doesn't look at; leave them out"
                .formatted(MOST));
      }
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      }
      if (depth == 0) {
        return;
      }
      token = parser.nextToken();
    }
  }
}
