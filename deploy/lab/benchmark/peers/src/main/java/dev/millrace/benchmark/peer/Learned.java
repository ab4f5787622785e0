package dev.millrace.benchmark.peer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;

/**
 * How many examples were learned in how much time, warm-up not counted.
 *
 * @param examples over all workers
 * @param time on the clock, not processor time
 */
public record Learned(long examples, Duration time) {

  /** One line: <code>{"examples":N,"seconds":S}</code>. */
  public String toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("examples", examples)
        .put("seconds", seconds(time))
        .toString();
  }

  static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
