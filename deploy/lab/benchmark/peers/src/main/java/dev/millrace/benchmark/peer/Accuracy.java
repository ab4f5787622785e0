package dev.millrace.benchmark.peer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/**
 * When a training reached the accuracy it was to reach.
 *
 * @param time spent learning until then, without evaluation; empty if it never did
 * @param examples learned until then, or in all
 * @param accuracy at the last evaluation, 0 to 1
 */
record Accuracy(Optional<Duration> time, long examples, double accuracy) {

  /** One line: <code>{"seconds":S,"examples":N,"accuracy":A}</code>, S null if never. */
  String toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    time.ifPresentOrElse(
        reached -> json.put("seconds", Learned.seconds(reached)), () -> json.putNull("seconds"));
    return json.put("examples", examples).put("accuracy", accuracy).toString();
  }
}
