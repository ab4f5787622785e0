package dev.millrace.simulate.task;

import dev.millrace.simulate.time.Timeline;
import dev.millrace.source.SourceGate;
import dev.millrace.source.TaskLink;
import java.util.function.Consumer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * How a task reads whose head is a source: no further than its gate is open, and what comes behind
 * takes.
 */
final class Reading {

  /** How soon it looks again whether there is room, in microseconds. */
  private static final long AGAIN = 100_000;

  private final Timeline timeline;
  private final SourceHead<Object> source;
  private final Outputs outputs;
  private SourceGate gateOrNull;
  private Timeline.Event wake;
  private boolean isChained;
  private boolean stopped;

  @SuppressWarnings("unchecked") // The chain is built for it.
  Reading(Timeline timeline, SourceHead<?> source, Outputs outputs) {
    this.timeline = timeline;
    this.outputs = outputs;
    this.source = (SourceHead<Object>) source;
  }

  /** What there is to do. */
  enum Next {
    READ,
    END,
    WAIT
  }

  /**
   * Begins.
   *
   * @param isAlone whether no operator is chained behind it
   */
  void begin(SavedState saved, boolean isAlone) {
    isChained = !isAlone;
    TaskLink link = isAlone ? null : TaskLink.ofThisTask();
    gateOrNull = link == null ? null : link.gate();
    source.begin(saved, link);
  }

  /** Reads nothing more. */
  void stop() {
    stopped = true;
  }

  /**
   * Looks what there is.
   *
   * @param again is run when that may have changed
   */
  Next look(Runnable again) {
    if (stopped) {
      return Next.WAIT;
    }
    if (gateOrNull != null && gateOrNull.hasEnded()) {
      return Next.END;
    }
    if (gateOrNull != null && !gateOrNull.isOpen()) {
      return Next.WAIT;
    }
    long ready = source.ready(timeline.now());
    if (ready == SourceHead.ENDED) {
      return Next.END;
    }
    if (ready <= timeline.now()) {
      if (isChained || outputs.haveRoom()) {
        return Next.READ;
      }
      ready = timeline.now() + AGAIN;
    }
    if (wake != null) {
      wake.cancel();
    }
    wake = ready == Long.MAX_VALUE ? null : timeline.at(ready, again);
    return Next.WAIT;
  }

  void read(Consumer<StreamRecord<Object>> out) {
    source.read(timeline.now(), out);
  }

  SavedState save() {
    return source.save();
  }
}
