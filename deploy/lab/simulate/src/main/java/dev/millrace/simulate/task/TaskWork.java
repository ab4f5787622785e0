package dev.millrace.simulate.task;

import dev.millrace.simulate.time.Timeline;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;

/** What a task does with what comes: checkpoints that begin at it, then inputs, then its source. */
final class TaskWork {

  private final Task task;
  private final TaskLoop loop;
  private final Inputs inputs;
  private final Chain chain;
  private final Outputs outputs;
  private final Snapshots snapshots;
  private final TaskListener listener;
  private Reading readingOrNull;
  private boolean mayWait;
  private boolean finished;

  /** Whether a completed checkpoint has its end. */
  private boolean mayEnd;

  /** The newest checkpoint that it was told is complete: an older one is no news, as in Flink. */
  private long told = -1;

  TaskWork(
      Task task,
      TaskLoop loop,
      Inputs inputs,
      Chain chain,
      Outputs outputs,
      Timeline timeline,
      TaskListener listener) {
    this.task = task;
    this.loop = loop;
    this.inputs = inputs;
    this.chain = chain;
    this.outputs = outputs;
    this.listener = listener;
    this.snapshots = new Snapshots(task, loop, chain, outputs, timeline, listener);
  }

  void head(Reading reading) {
    readingOrNull = reading;
  }

  void mayWait() {
    mayWait = true;
  }

  boolean isRoot() {
    return readingOrNull != null || inputs.haveEnded();
  }

  void begin(List<SavedState> saved, OptionalLong checkpoint) throws Exception {
    boolean reads = readingOrNull != null;
    chain.begin(saved.subList(reads ? 1 : 0, saved.size()), checkpoint);
    if (reads) {
      readingOrNull.begin(saved.get(0), chain.isEmpty());
    }
  }

  /** Begins a checkpoint in its turn among the mails, as Flink does. */
  void trigger(Barrier barrier) {
    loop.mailbox().executeBetween(() -> begin(barrier));
  }

  void completed(long checkpoint) throws Exception {
    if (checkpoint <= told) {
      return;
    }
    told = checkpoint;
    chain.completed(checkpoint);
    if (snapshots.coversEnd(checkpoint)) {
      mayEnd = true;
      endIfOver();
    }
  }

  /**
   * A checkpoint was given up.
   *
   * @param newest the newest that is complete, which it may not have been told yet
   */
  void aborted(long checkpoint, long newest) throws Exception {
    completed(newest);
    snapshots.abort(checkpoint);
    chain.aborted(checkpoint);
  }

  /**
   * Does what is next.
   *
   * @return whether there was something
   */
  boolean step() throws Exception {
    if (!inputs.isEmpty()) {
      Edge edge = inputs.next();
      if (edge != null) {
        take(edge, edge.take());
      }
    } else {
      return readingOrNull != null && !finished && read();
    }
    return true;
  }

  private boolean read() {
    switch (readingOrNull.look(loop::wake)) {
      case READ -> readingOrNull.read(record -> chain.forward(0, record));
      case END -> loop.run(() -> finish(true));
      case WAIT -> {
        return false;
      }
    }
    return true;
  }

  private void take(Edge edge, Item item) throws Exception {
    if (item instanceof Item.Data data) {
      listener.works(task, "record", edge.number(), data.bytes());
      take(edge, data);
    } else if (item instanceof Item.Mark mark) {
      listener.works(task, "barrier", mark.barrier().checkpoint(), null);
      save(inputs.align(edge, mark.barrier()));
    } else if (item instanceof Item.Cancelled cancelled) {
      if (inputs.cancel(cancelled.checkpoint())) {
        outputs.broadcast(cancelled);
      }
    } else if (item instanceof Item.EndOfData end) {
      listener.works(task, "end of data", edge.number(), null);
      edge.endData(end);
      endData(edge.input());
    } else {
      listener.works(task, "end", edge.number(), null);
      edge.end();
      save(inputs.aligned());
      endIfOver();
    }
  }

  @SuppressWarnings("unchecked") // Edges are built for the operator.
  private void take(Edge edge, Item.Data data) throws Exception {
    if (inputs.hasNoMoreData(edge.input()) && inputs.isDrained(edge.input())) {
      // Flink drops what comes behind the end of an input.
      return;
    }
    Object value =
        ((TypeSerializer<Object>) edge.serializer())
            .deserialize(new DataInputDeserializer(data.bytes()));
    listener.takes(task, value);
    if (mayWait) {
      loop.run(() -> chain.process(edge.input(), value));
    } else {
      chain.process(edge.input(), value);
    }
  }

  private void begin(Barrier barrier) throws Exception {
    listener.works(task, "trigger", barrier.checkpoint(), null);
    if (readingOrNull == null) {
      save(inputs.begin(barrier));
    } else if (!finished && barrier.kind().stops()) {
      readingOrNull.stop();
      loop.run(
          () -> {
            finish(barrier.kind() == Barrier.Kind.DRAIN);
            save(barrier);
          });
    } else {
      save(barrier);
    }
  }

  private void save(Barrier barrierOrNull) throws Exception {
    if (barrierOrNull != null) {
      snapshots.take(barrierOrNull, readingOrNull, finished);
    }
  }

  private void endData(int input) {
    if (!inputs.hasNoMoreData(input)) {
      return;
    }
    boolean allOver = inputs.haveNoMoreData();
    loop.run(
        () -> {
          if (inputs.isDrained(input)) {
            chain.endInput(input);
          }
          if (allOver) {
            finishChain(inputs.areDrained());
          }
        });
  }

  /** Its source has ended, or is stopped. */
  private void finish(boolean drained) throws Exception {
    if (drained) {
      chain.endInput(1);
    }
    finishChain(drained);
  }

  private void finishChain(boolean drained) throws Exception {
    chain.finish(drained, loop.mailbox());
    finished = true;
    outputs.broadcast(new Item.EndOfData(drained));
    listener.works(task, "finished", 0, null);
  }

  private void endIfOver() {
    if (mayEnd && !task.isClosing() && inputs.haveEnded()) {
      outputs.broadcast(new Item.End());
      task.end();
    }
  }
}
