package dev.millrace.exchange.slow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is wrong with a replica: it makes its steps more slowly, or stands still for a while, in the
 * middle of a step too. Times are in nanoseconds since the start.
 *
 * @param slowness times as long as a step takes
 * @param pauses in the order of time, none overlapping another
 */
record Disturbance(String name, double slowness, List<Pause> pauses) {

  static final Disturbance NONE = new Disturbance("none", 1, List.of());

  /** More than any run has. */
  private static final int MANY = 1_000;

  /** Nothing is done from the one time to the other. */
  record Pause(long from, long to) {}

  Disturbance {
    pauses = List.copyOf(pauses);
  }

  /** One pause after the other, each beginning so long after the one before. */
  static Disturbance pauses(Duration first, Duration every, Duration length) {
    List<Pause> pauses = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      long from = first.plus(every.multipliedBy(i)).toNanos();
      pauses.add(new Pause(from, from + length.toNanos()));
    }
    return new Disturbance("pauses of %s s".formatted(length.toSeconds()), 1, pauses);
  }

  static Disturbance gone(Duration from, Duration length) {
    Pause pause = new Pause(from.toNanos(), from.plus(length).toNanos());
    return new Disturbance("gone for %s s".formatted(length.toSeconds()), 1, List.of(pause));
  }

  static Disturbance slow(double slowness) {
    return new Disturbance(
        String.format(Locale.ROOT, "1/%.0f of the speed", slowness), slowness, List.of());
  }

  /** The first time from this one on at which the replica does something. */
  long awake(long time) {
    for (Pause pause : pauses) {
      if (time >= pause.from() && time < pause.to()) {
        return pause.to();
      }
    }
    return time;
  }

  /** When work that begins now, and takes so long undisturbed, is done. */
  long done(long start, long work) {
    long end = start + (long) (slowness * work);
    for (Pause pause : pauses) {
      if (pause.from() >= start && pause.from() < end) {
        end += pause.to() - pause.from();
      }
    }
    return end;
  }

  @Override
  public String toString() {
    return name;
  }
}
