package dev.millrace.simulate.time;

import java.util.PriorityQueue;

/**
 * What is to happen, in the order of its time; of one time, in the order in which it was planned.
 * Time is in microseconds from the beginning of a run.
 *
 * <p>Not thread-safe.
 */
public final class Timeline {

  /** Something that is to happen. */
  public static final class Event implements Comparable<Event> {

    private final long time;
    private final long number;
    private Runnable action;

    private Event(long time, long number, Runnable action) {
      this.time = time;
      this.number = number;
      this.action = action;
    }

    /** Has it not happen; without effect if it has. */
    public void cancel() {
      action = null;
    }

    @Override
    public int compareTo(Event other) {
      return time == other.time
          ? Long.compare(number, other.number)
          : Long.compare(time, other.time);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long planned;
  private long happened;

  /** Returns the time of what happens now. */
  public long now() {
    return now;
  }

  /** Returns how much has happened. */
  public long happened() {
    return happened;
  }

  /** Plans something; not before now. */
  public Event at(long time, Runnable action) {
    Event event = new Event(Math.max(time, now), planned++, action);
    events.add(event);
    return event;
  }

  /** Plans something for so many microseconds from now. */
  public Event in(long micros, Runnable action) {
    return at(now + micros, action);
  }

  /**
   * Has the next thing happen.
   *
   * @return false if there is none
   */
  public boolean step() {
    for (Event next = events.poll(); next != null; next = events.poll()) {
      if (next.action != null) {
        now = next.time;
        happened++;
        Runnable action = next.action;
        next.action = null;
        action.run();
        return true;
      }
    }
    return false;
  }
}
