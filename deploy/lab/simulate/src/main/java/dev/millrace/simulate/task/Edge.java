package dev.millrace.simulate.task;

import dev.millrace.simulate.time.Timeline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The way from one subtask to another, which keeps the order of what goes over it. */
public final class Edge {

  private static final int MOST_UNDER_WAY = 20;

  private final Timeline timeline;
  private final Task target;
  private final int input;
  private final int number;
  private final TypeSerializer<?> serializer;
  private final LongSupplier latency;
  private final Deque<Item> waiting = new ArrayDeque<>();
  private int underWay;
  private long lastArrival;
  private long delayedUntil;
  private boolean cut;
  private boolean blocked;
  private boolean dataEnded;
  private boolean drained;
  private boolean ended;

  Edge(
      Timeline timeline,
      Task target,
      int input,
      int number,
      TypeSerializer<?> serializer,
      LongSupplier latency) {
    this.timeline = timeline;
    this.target = target;
    this.input = input;
    this.number = number;
    this.serializer = serializer;
    this.latency = latency;
  }

  /** Nothing arrives before that time. */
  public void delay(long until) {
    delayedUntil = Math.max(delayedUntil, until);
  }

  /** Nothing arrives any more. */
  void cut() {
    cut = true;
  }

  /** Whether there is room for more, as Flink's buffers are few. */
  boolean hasRoom() {
    return cut || underWay < MOST_UNDER_WAY;
  }

  void send(Item item, long departure) {
    underWay++;
    lastArrival = Math.max(Math.max(lastArrival, delayedUntil), departure + latency.getAsLong());
    timeline.at(lastArrival, () -> arrive(item));
  }

  private void arrive(Item item) {
    if (!cut) {
      waiting.add(item);
      target.arrived(this);
    }
  }

  int input() {
    return input;
  }

  int number() {
    return number;
  }

  TypeSerializer<?> serializer() {
    return serializer;
  }

  Item take() {
    underWay--;
    return waiting.removeFirst();
  }

  int waiting() {
    return waiting.size();
  }

  boolean isBlocked() {
    return blocked;
  }

  void block(boolean now) {
    blocked = now;
  }

  boolean hasDataEnded() {
    return dataEnded;
  }

  /** Whether its records ended as their senders finished, and not as they were stopped. */
  boolean isDrained() {
    return drained;
  }

  void endData(Item.EndOfData end) {
    dataEnded = true;
    drained = end.drained();
  }

  boolean hasEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }
}
