package dev.millrace.kafka.topic;

import java.time.Duration;

/** How fast a producer sends. */
public sealed interface Rate {

  static Rate unlimited() {
    return new Unlimited();
  }

  static Rate perSecond(double examples) {
    return new PerSecond(examples);
  }

  /** Returns when example {@code index}, counted from 0, is due, from the start. */
  Duration due(long index);

  record Unlimited() implements Rate {
    @Override
    public Duration due(long index) {
      return Duration.ZERO;
    }
  }

  record PerSecond(double examples) implements Rate {

    public PerSecond {
      if (!(examples > 0)) {
        throw new IllegalArgumentException(
            "A rate is a number of examples per second above 0, not " + examples);
      }
    }

    @Override
    public Duration due(long index) {
      return Duration.ofNanos((long) (index / examples * 1e9));
    }
  }
}
