package dev.millrace.simulate.task;

import dev.millrace.simulate.time.Timeline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes a task's part of each checkpoint where its barrier is. It is written while the task goes
 * on.
 */
final class Snapshots {

  private final Task task;
  private final TaskLoop loop;
  private final Chain chain;
  private final Outputs outputs;
  private final Timeline timeline;
  private final TaskListener listener;
  private final Set<Long> aborted = new HashSet<>();

  /** The first one that has the task as finished. */
  private long last = Long.MAX_VALUE;

  Snapshots(
      Task task,
      TaskLoop loop,
      Chain chain,
      Outputs outputs,
      Timeline timeline,
      TaskListener listener) {
    this.task = task;
    this.loop = loop;
    this.chain = chain;
    this.outputs = outputs;
    this.timeline = timeline;
    this.listener = listener;
  }

  /** It will never be complete, so it need not be taken. */
  void abort(long checkpoint) {
    aborted.add(checkpoint);
  }

  /** Takes the task's part, as it is now, and sends the barrier on. */
  void take(Barrier barrier, Reading readingOrNull, boolean finished) throws Exception {
    long checkpoint = barrier.checkpoint();
    if (aborted.remove(checkpoint)) {
      outputs.broadcast(new Item.Cancelled(checkpoint));
      return;
    }
    chain.prepare(checkpoint);
    outputs.broadcast(new Item.Mark(barrier));
    List<Operator.Saved> parts = new ArrayList<>();
    if (readingOrNull != null) {
      SavedState ofSource = readingOrNull.save();
      parts.add(() -> ofSource);
    }
    parts.addAll(chain.save(barrier, loop.micros() / 1_000));
    if (finished) {
      last = Math.min(last, checkpoint);
    }
    long writes = listener.writes(task, barrier);
    timeline.at(loop.micros() + writes, () -> written(barrier, parts));
  }

  private void written(Barrier barrier, List<Operator.Saved> parts) {
    if (task.isReachable()) {
      listener.saved(task, barrier, parts.stream().map(Operator.Saved::write).toList());
    }
  }

  /** Whether one that has the task as finished is complete, once this one is. */
  boolean coversEnd(long checkpoint) {
    return checkpoint >= last;
  }
}
