package dev.millrace.simulate.task;

import dev.millrace.exchange.feedback.SimulatedProcess;
import dev.millrace.simulate.time.Timeline;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * One subtask in virtual time: a chain of real operators, maybe behind a source, with its mails and
 * inputs. It aligns barriers, ends and is cancelled as a task of Flink's.
 */
public final class Task {

  private final String vertex;
  private final int index;
  private final SimulatedProcess process;
  private final Timeline timeline;
  private final ContainingTask containing;
  private final TaskLoop loop;
  private final Inputs inputs = new Inputs();
  private final Outputs outputs;
  private final Chain chain;
  private final TaskWork work;
  private final TaskListener listener;
  private boolean cutOff;
  private boolean closing;
  private Runnable whenClosed = () -> {};

  /**
   * Makes one that has yet to begin.
   *
   * @param attempt of the job, from 0 per submission
   */
  public Task(
      String vertex,
      int index,
      int parallelism,
      int attempt,
      SimulatedProcess process,
      Timeline timeline,
      TaskListener listener) {
    this.vertex = vertex;
    this.index = index;
    this.process = process;
    this.timeline = timeline;
    this.listener = listener;
    this.loop = new TaskLoop(process, timeline, new Owner());
    this.outputs = new Outputs(loop::micros);
    this.chain = new Chain(outputs);
    this.work = new TaskWork(this, loop, inputs, chain, outputs, timeline, listener);
    this.containing =
        ContainingTask.of(
            new TaskEnvironment(new TaskInfoImpl(vertex, 128, index, parallelism, attempt)),
            loop.mailbox());
  }

  /** What the loop does and tells. */
  private final class Owner implements TaskLoop.Owner {

    @Override
    public void mail() {
      listener.works(Task.this, "mail", 0, null);
    }

    @Override
    public boolean step() throws Exception {
      return work.step();
    }

    @Override
    public void failed(Exception cause) {
      fail(cause);
    }
  }

  public String vertex() {
    return vertex;
  }

  public int index() {
    return index;
  }

  public SimulatedProcess process() {
    return process;
  }

  /** Returns the task's own time, in microseconds. */
  public long micros() {
    return loop.micros();
  }

  /** Lets what the task is at take so long. */
  public void spend(long micros) {
    loop.spend(micros);
  }

  /** Whether it works, or may. */
  public boolean isAlive() {
    return loop.isAlive();
  }

  /** Whether what it does reaches others. */
  boolean isReachable() {
    return loop.isAlive() && !cutOff && !closing;
  }

  boolean isClosing() {
    return closing;
  }

  /** Whether everything before it has ended, so that a barrier has to begin with it. */
  public boolean isRoot() {
    return work.isRoot();
  }

  // How it is built

  /** Reads before its operators do anything. */
  public void head(SourceHead<?> source) {
    work.head(new Reading(timeline, source, outputs));
  }

  /** Records of the exchange have keys. */
  public void keyedBy(ToIntFunction<Object> keys) {
    chain.keyedBy(keys);
  }

  /** Its head may wait amid a record. */
  public void mayWait() {
    work.mayWait();
  }

  /** Adds an operator at the end of its chain. */
  public <T> void add(AbstractStreamOperator<T> operator) {
    int place = chain.size();
    Timers timers = new Timers(timeline, loop::micros, loop.mailbox());
    chain.add(
        new Operator<>(
            operator,
            containing,
            place,
            new TaskOutput<>(chain, place + 1),
            timers,
            loop.mailbox()));
  }

  /**
   * Says where an output of the last operator goes; the main one has no tag.
   *
   * @param instead says what leaves in place of a record
   */
  public <T> void route(
      OutputTag<T> tagOrNull,
      TypeSerializer<T> serializer,
      ToIntFunction<T> target,
      List<Edge> edges,
      Function<Object, List<Object>> instead) {
    outputs.add(
        tagOrNull,
        serializer,
        target,
        edges,
        message -> {
          listener.sends(this, message);
          return instead.apply(message);
        });
  }

  /** Adds a way into this one. */
  public Edge input(int input, TypeSerializer<?> serializer, LongSupplier latency) {
    Edge edge = new Edge(timeline, this, input, inputs.size(), serializer, latency);
    inputs.add(edge);
    return edge;
  }

  public List<Edge> inputs() {
    return inputs.edges();
  }

  // What it is told

  /**
   * Begins.
   *
   * @param saved of its source, if it has one, and of each operator
   */
  public void begin(List<SavedState> saved, OptionalLong checkpoint) {
    loop.begin();
    loop.enter();
    try {
      work.begin(saved, checkpoint);
    } catch (Exception e) {
      fail(e);
      return;
    }
    loop.wake();
  }

  /** Ends at once: all its subtasks had, when the checkpoint was taken. */
  public void endAtOnce() {
    outputs.broadcast(new Item.EndOfData(true));
    outputs.broadcast(new Item.End());
  }

  /** A checkpoint begins here. */
  public void trigger(Barrier barrier) {
    if (loop.isOpen()) {
      work.trigger(barrier);
    }
  }

  /** A checkpoint is complete. */
  public void completed(long checkpoint) {
    tell(() -> work.completed(checkpoint));
  }

  /** A checkpoint will never be complete. */
  public void aborted(long checkpoint, long newest) {
    tell(() -> work.aborted(checkpoint, newest));
  }

  private void tell(ThrowingRunnable<Exception> what) {
    if (loop.isOpen()) {
      loop.mailbox().execute(what, "a notification");
    }
  }

  /** It does nothing for so long. */
  public void stall(long micros) {
    loop.stall(micros);
  }

  void arrived(Edge edge) {
    if (!closing) {
      // It may come before the task begins.
      inputs.arrived(edge);
      loop.wake();
    }
  }

  /** Has it look whether what it waits for has come. */
  public void poke() {
    loop.poke();
  }

  /** Waits in the middle of what it is at; for what may be poked. */
  public void awaitUntil(BooleanSupplier condition) {
    loop.pauses().awaitUntil(condition);
  }

  // How it ends

  /** Nothing of it reaches others, nor of them it. */
  public void cutOff() {
    cutOff = true;
    outputs.cut();
    inputs.cut();
  }

  /** Its process dies. */
  public void die() {
    if (isAlive()) {
      cutOff();
      loop.end();
      loop.abandon();
      loop.enter();
      chain.vanish();
      if (closing) {
        closed();
      }
    }
  }

  /**
   * Cancels it.
   *
   * @param closed is told when it is closed
   */
  public void cancel(Runnable closed) {
    if (!isAlive()) {
      closed.run();
      return;
    }
    cutOff();
    whenClosed = closed;
    if (!closing) {
      containing.cancelled();
      close();
    }
  }

  /** Everything is done, and a completed checkpoint has it. */
  void end() {
    whenClosed = () -> listener.ended(this);
    // It closes when what it is at is done.
    timeline.in(
        0,
        () -> {
          if (isAlive() && !closing) {
            close();
          }
        });
  }

  private void close() {
    loop.abandon();
    closing = true;
    loop.stop();
    loop.enter();
    loop.run(
        () -> {
          chain.close();
          closed();
        });
  }

  private void closed() {
    loop.end();
    var unused = timeline.in(0, whenClosed);
  }

  private void fail(Exception cause) {
    loop.stop();
    if (isAlive() && !(cause instanceof CancelledTaskException)) {
      listener.failed(this, cause);
    }
    if (closing) {
      closed();
    }
  }

  @Override
  public String toString() {
    return vertex + " " + index;
  }
}
