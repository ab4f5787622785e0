package dev.millrace.exchange.drift;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.steering.Notice;
import java.util.List;
import java.util.Locale;

/**
 * What a detector has found in the contributions of a round.
 *
 * @param detector its name
 * @param before mean error before the drift; NaN where features drifted
 * @param after mean error since; NaN where features drifted
 * @param features numbers of those that drifted; none where the error did
 */
record Finding(String detector, double before, double after, List<Integer> features) {

  /**
   * Tells of it.
   *
   * @param examples that the job had learned
   * @param reacts whether reactions follow, and it isn't too soon after the last ones
   */
  Notice notice(long examples, boolean reacts) {
    String what =
        features.isEmpty()
            ? String.format(Locale.ROOT, "the error rose from %.3f to %.3f", before, after)
            : "features %s moved".formatted(features);
    return new Notice(
        "drift",
        "Drift after %s examples, found by %s: %s%s"
            .formatted(examples, detector, what, reacts ? "" : "; no reaction so soon"),
        fields(examples, reacts).toString());
  }

  private ObjectNode fields(long examples, boolean reacts) {
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    fields.put("examples", examples).put("detector", detector);
    if (features.isEmpty()) {
      fields.put("before", before).put("after", after);
    } else {
      ArrayNode numbers = fields.putArray("features");
      features.forEach(numbers::add);
    }
    return fields.put("reacted", reacts);
  }
}
