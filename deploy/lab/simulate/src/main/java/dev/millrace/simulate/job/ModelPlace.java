package dev.millrace.simulate.job;

import dev.millrace.simulate.time.Timeline;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is in a place of models, and who is at it. */
public final class ModelPlace {

  private static final long MILLI = 1_000;

  private final Timeline timeline;
  private final Runnable quiet;
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Set<TimedFiber> users = new HashSet<>();
  private long failsUntil;
  private long slowUntil;
  private long broken;

  /**
   * Makes an empty one.
   *
   * @param quiet is told when nobody is at it any more
   */
  ModelPlace(Timeline timeline, Runnable quiet) {
    this.timeline = timeline;
    this.quiet = quiet;
  }

  /** Half of what is asked for fails for a while. */
  public void fail(long micros) {
    failsUntil = timeline.now() + micros;
  }

  /** It takes long to answer for a while. */
  public void slow(long micros) {
    slowUntil = timeline.now() + micros;
  }

  /** Returns what is there. */
  public Map<String, byte[]> files() {
    return Collections.unmodifiableMap(files);
  }

  /** Returns how often what somebody was at has failed, or has ended in the middle. */
  long broken() {
    return broken;
  }

  /** Whoever calls this asks for something. */
  void use() {
    TimedFiber user = TimedFiber.currentOrNull();
    if (user != null && users.add(user)) {
      user.whenOver(amid -> leave(user, amid));
    }
  }

  private void leave(TimedFiber user, boolean amid) {
    users.remove(user);
    broken += amid ? 1 : 0;
    if (users.isEmpty()) {
      quiet.run();
    }
  }

  /** Whether what is asked for may fail. */
  boolean fails() {
    return timeline.now() < failsUntil;
  }

  /** Something that was asked for fails. */
  void breaks() {
    broken++;
  }

  /** Returns how long an answer takes at most. */
  long longest() {
    return timeline.now() < slowUntil ? 20_000 * MILLI : 200 * MILLI;
  }

  void put(String name, byte[] bytes) {
    files.put(name, bytes);
  }

  void delete(String name) {
    files.remove(name);
  }
}
