package dev.millrace.simulate.task;

import dev.millrace.source.TaskLink;
import java.util.function.Consumer;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * What is at the head of a chain, and reads.
 *
 * @param <T> what it reads
 */
public interface SourceHead<T> {

  /** It has come to its end. */
  long ENDED = -1;

  /**
   * Continues.
   *
   * @param link with what is chained behind it; null where that is in another task
   */
  void begin(SavedState saved, TaskLink link);

  /**
   * Returns when it has something, as far as it knows; {@link #ENDED} or {@link Long#MAX_VALUE}.
   */
  long ready(long now);

  /** Gives out what it has; called when it is ready. */
  void read(long now, Consumer<StreamRecord<T>> out);

  /** Returns what a checkpoint has of it. */
  SavedState save();
}
