package dev.millrace.simulate.task;

import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.feedback.SimulatedProcess;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.simulate.time.Timeline;
import dev.millrace.source.SourceGate;
import dev.millrace.source.TaskLink;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * One subtask in virtual time: a chain of real operators, maybe behind a source, with its mails and
 * inputs. It aligns barriers, ends and is cancelled as a task of Flink's.
 *
 * <p>Mails go before inputs, inputs before the source. What it works at takes the time that is
 * {@linkplain #spend spent} meanwhile, and what it sends leaves then.
 */
public final class Task {

  private final String vertex;
  private final int index;
  private final SimulatedProcess process;
  private final Timeline timeline;
  private final TaskListener listener;
  private final ContainingTask containing;
  private final Mailbox mailbox = new Mailbox(this::wake, this::awaitMail);
  private final List<Operator<?>> chain = new ArrayList<>();
  private final List<Edge> inputs = new ArrayList<>();
  private final Map<OutputTag<?>, Route> sideRoutes = new LinkedHashMap<>();
  private final Deque<Edge> inbox = new ArrayDeque<>();
  private final Deque<Barrier> triggers = new ArrayDeque<>();
  private final Set<Long> aborted = new HashSet<>();
  private Route mainRoute;
  private ToIntFunction<Object> key;
  private SourceHead<Object> source;
  private SourceGate gate;
  private boolean mayWait;

  private boolean alive;
  private boolean failed;
  private boolean cutOff;
  private boolean waking;
  private long busyUntil;
  private long spent;
  private Timeline.Event sourceWake;
  private Fiber fiber;
  private boolean poked;

  /** Whether what waits goes on with a mail. */
  private boolean takesMail;

  private Barrier aligning;
  private long newestBarrier;
  private boolean finished;
  private boolean reads = true;
  private long finalCheckpoint = Long.MAX_VALUE;
  private boolean mayEnd;

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
    try {
      containing =
          new ContainingTask(
              new TaskEnvironment(new TaskInfoImpl(vertex, 128, index, parallelism, attempt)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    containing.mailboxes(priority -> mailbox);
  }

  /** Where records of one output go. */
  private record Route(
      TypeSerializer<Object> serializer, ToIntFunction<Object> target, List<Edge> edges) {}

  public String vertex() {
    return vertex;
  }

  public int index() {
    return index;
  }

  /** Returns the task's own time, in microseconds. */
  public long micros() {
    return timeline.now() + spent;
  }

  /** What the task is at takes so long. */
  public void spend(long micros) {
    spent += micros;
  }

  /** Whether it works, or may. */
  public boolean isAlive() {
    return alive;
  }

  /** Whether its operators have finished. */
  public boolean isFinished() {
    return finished;
  }

  /** Whether everything before it has ended, so that a barrier has to begin with it. */
  public boolean isRoot() {
    return source != null || inputs.stream().allMatch(Edge::hasEnded);
  }

  public SimulatedProcess process() {
    return process;
  }

  // How it is built

  /** Reads before its operators do anything. */
  @SuppressWarnings("unchecked") // The chain is built for it.
  public void head(SourceHead<?> head) {
    source = (SourceHead<Object>) head;
  }

  /** Records of the exchange have keys. */
  public void keyedBy(ToIntFunction<Object> keys) {
    key = keys;
  }

  /** Its head may wait amid a record. */
  public void mayWait() {
    mayWait = true;
  }

  /** Adds an operator at the end of its chain. */
  public <T> void add(AbstractStreamOperator<T> operator) {
    int place = chain.size();
    Timers timers = new Timers(timeline, this::micros, mailbox);
    chain.add(
        new Operator<>(
            operator, containing, place, new TaskOutput<>(this, place + 1), timers, mailbox));
  }

  /** Says where the output of the last operator goes. */
  @SuppressWarnings("unchecked") // A serializer is of what the output has.
  public <T> void route(
      OutputTag<T> tagOrNull,
      TypeSerializer<T> serializer,
      ToIntFunction<T> target,
      List<Edge> edges) {
    Route route =
        new Route(
            (TypeSerializer<Object>) serializer,
            (ToIntFunction<Object>) target,
            List.copyOf(edges));
    if (tagOrNull == null) {
      mainRoute = route;
    } else {
      sideRoutes.put(tagOrNull, route);
    }
  }

  /** Adds a way into this one. */
  public Edge input(int input, TypeSerializer<?> serializer, LongSupplier latency) {
    Edge edge = new Edge(timeline, this, input, inputs.size(), serializer, latency);
    inputs.add(edge);
    return edge;
  }

  public List<Edge> inputs() {
    return List.copyOf(inputs);
  }

  // What it is told

  /**
   * Begins.
   *
   * @param saved of its source, if it has one, and of each operator
   */
  public void begin(List<SavedState> saved, OptionalLong checkpoint) {
    alive = true;
    enter();
    try {
      for (int i = chain.size() - 1; i >= 0; i--) {
        int place = source == null ? i : i + 1;
        chain.get(i).begin(saved.get(place), checkpoint);
      }
      if (source != null) {
        TaskLink link = chain.isEmpty() ? null : TaskLink.ofThisTask();
        gate = link == null ? null : link.gate();
        source.begin(saved.get(0), link);
      }
    } catch (Exception e) {
      fail(e);
      return;
    }
    wake();
  }

  /** Ends at once: all its subtasks had, when the checkpoint was taken. */
  public void endAtOnce() {
    finished = true;
    broadcast(new Item.EndOfData(true));
    broadcast(new Item.End());
  }

  /** A checkpoint begins here. */
  public void trigger(Barrier barrier) {
    if (alive) {
      triggers.add(barrier);
      wake();
    }
  }

  /** A checkpoint is complete. */
  public void completed(long checkpoint) {
    tell(
        () -> {
          for (Operator<?> operator : chain) {
            operator.get().notifyCheckpointComplete(checkpoint);
          }
          if (checkpoint >= finalCheckpoint) {
            mayEnd = true;
            endIfOver();
          }
        });
  }

  /** A checkpoint will never be complete. */
  public void aborted(long checkpoint) {
    tell(
        () -> {
          aborted.add(checkpoint);
          for (Operator<?> operator : chain) {
            operator.get().notifyCheckpointAborted(checkpoint);
          }
        });
  }

  private void tell(org.apache.flink.util.function.ThrowingRunnable<Exception> what) {
    if (alive && !closing && !failed) {
      mailbox.execute(what, "a notification");
    }
  }

  /** It does nothing for so long. */
  public void stall(long micros) {
    busyUntil = Math.max(busyUntil, timeline.now()) + micros;
  }

  /** Nothing of it reaches others, nor of them it. */
  public void cutOff() {
    cutOff = true;
    inputs.forEach(Edge::cut);
  }

  /** Its process dies. */
  public void die() {
    if (alive) {
      cutOff();
      alive = false;
      abandon();
      closeQuietly();
      if (closing) {
        closed();
      }
    }
  }

  private void abandon() {
    mailbox.close();
    if (fiber != null) {
      Fiber left = fiber;
      fiber = null;
      left.abandon();
    }
  }

  /**
   * Cancels it.
   *
   * @param closed is told when it is closed
   */
  public void cancel(Runnable closed) {
    if (!alive) {
      closed.run();
      return;
    }
    cutOff();
    whenClosed = closed;
    if (closing) {
      return;
    }
    try {
      containing.cancel();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    abandon();
    close();
  }

  private boolean closing;
  private Runnable whenClosed = () -> {};

  private void close() {
    closing = true;
    enter();
    run(
        () -> {
          for (int i = chain.size() - 1; i >= 0; i--) {
            chain.get(i).get().close();
          }
          closed();
        });
  }

  private void closed() {
    alive = false;
    var unused = timeline.in(0, whenClosed);
  }

  /** What the process had in memory is gone with it. */
  private void closeQuietly() {
    enter();
    for (Operator<?> operator : chain) {
      if (operator.get() instanceof ReplicaOperator) {
        try {
          operator.get().close();
        } catch (Exception e) {
          throw new IllegalStateException("A replica can't be closed", e);
        }
      }
    }
  }

  // How it works

  void arrived(Edge edge) {
    if (!closing) {
      // It may come before the task begins.
      inbox.add(edge);
      wake();
    }
  }

  /** Has it look whether what it waits for has come. */
  public void poke() {
    poked = true;
    wake();
  }

  /** Waits in the middle of what it is at; for what may be poked. */
  public void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      await();
    }
  }

  private void awaitMail() {
    takesMail = true;
    await();
    takesMail = false;
  }

  private void await() {
    if (fiber == null) {
      throw new IllegalStateException("%s %s waits where it must not".formatted(vertex, index));
    }
    fiber.pause();
  }

  private void wake() {
    if (alive && !waking) {
      waking = true;
      timeline.at(busyUntil, this::work);
    }
  }

  private void enter() {
    ReplicaLinks.simulate(process);
    spent = 0;
  }

  private void work() {
    waking = false;
    if (!alive) {
      return;
    }
    if (timeline.now() < busyUntil) {
      wake();
      return;
    }
    enter();
    try {
      while (alive && spent == 0 && workOnce()) {
        // Until it takes time, or nothing is left.
      }
    } catch (Exception e) {
      fail(e);
    }
    busyUntil = Math.max(busyUntil, timeline.now() + spent);
    boolean more = spent > 0;
    spent = 0;
    if (more) {
      wake();
    }
  }

  /** Returns whether there was something to do. */
  private boolean workOnce() throws Exception {
    if (fiber != null) {
      if (!poked && (mailbox.isEmpty() || !takesMail)) {
        return false;
      }
      poked = false;
      resume();
      return true;
    }
    poked = false;
    if (closing || failed) {
      return false;
    }
    if (!mailbox.isEmpty()) {
      listener.works(this, "mail", 0, null);
      mailbox.runOne();
    } else if (!triggers.isEmpty()) {
      begin(triggers.removeFirst());
    } else if (!inbox.isEmpty()) {
      Edge edge = inbox.removeFirst();
      if (!edge.isBlocked() && edge.waiting() > 0) {
        take(edge, edge.take());
      }
    } else {
      return source != null && reads && !finished && poll();
    }
    return true;
  }

  /** Does work that may wait. */
  private void run(Fiber.Work work) {
    takesMail = false;
    fiber =
        new Fiber(
            () -> {
              ReplicaLinks.simulate(process);
              work.run();
            });
    try {
      resume();
    } catch (Exception e) {
      fail(e);
    }
  }

  private void resume() throws Exception {
    Fiber current = fiber;
    boolean done;
    try {
      done = current.resume();
    } catch (Exception e) {
      fiber = null;
      throw e;
    }
    if (done && fiber == current) {
      fiber = null;
      wake();
    }
  }

  private void fail(Exception cause) {
    failed = true;
    if (alive && !(cause instanceof CancelledTaskException)) {
      listener.failed(this, cause);
    }
    if (closing) {
      closed();
    }
  }

  private boolean poll() {
    if (gate != null && gate.hasEnded()) {
      run(() -> finish(true));
      return true;
    }
    if (gate != null && !gate.isOpen()) {
      return false;
    }
    long ready = source.ready(timeline.now());
    if (ready == SourceHead.ENDED) {
      run(() -> finish(true));
      return true;
    }
    if (ready > timeline.now()) {
      if (sourceWake != null) {
        sourceWake.cancel();
      }
      sourceWake = ready == Long.MAX_VALUE ? null : timeline.at(ready, this::wake);
      return false;
    }
    source.read(timeline.now(), record -> forward(0, record));
    return true;
  }

  /** Gives a record to the operator at that place of the chain, or sends it. */
  void forward(int place, StreamRecord<?> record) {
    if (place == chain.size()) {
      send(mainRoute, record.getValue());
      return;
    }
    try {
      @SuppressWarnings("unchecked") // The chain is built for it.
      Input<Object> next = (Input<Object>) chain.get(place).get();
      @SuppressWarnings("unchecked")
      StreamRecord<Object> same = (StreamRecord<Object>) record;
      next.processElement(same);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  void side(OutputTag<?> tag, StreamRecord<?> record) {
    send(sideRoutes.get(tag), record.getValue());
  }

  private void send(Route route, Object value) {
    if (route == null || cutOff) {
      return;
    }
    try {
      DataOutputSerializer out = new DataOutputSerializer(64);
      route.serializer().serialize(value, out);
      route
          .edges()
          .get(route.target().applyAsInt(value))
          .send(new Item.Data(out.getCopyOfBuffer()), micros());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void broadcast(Item item) {
    if (cutOff) {
      return;
    }
    Set<Edge> all = new java.util.LinkedHashSet<>();
    if (mainRoute != null) {
      all.addAll(mainRoute.edges());
    }
    sideRoutes.values().forEach(route -> all.addAll(route.edges()));
    all.forEach(edge -> edge.send(item, micros()));
  }

  private void take(Edge edge, Item item) throws Exception {
    if (item instanceof Item.Data data) {
      listener.works(this, "record", edge.number(), data.bytes());
      take(edge, data);
    } else if (item instanceof Item.Mark mark) {
      listener.works(this, "barrier", mark.barrier().checkpoint(), null);
      align(edge, mark.barrier());
    } else if (item instanceof Item.Cancelled cancelled) {
      cancelAlignment(cancelled.checkpoint());
    } else if (item instanceof Item.EndOfData end) {
      listener.works(this, "end of data", edge.number(), null);
      edge.endData();
      endData(edge.input(), end.drained());
    } else {
      listener.works(this, "end", edge.number(), null);
      edge.end();
      completeAlignment();
      endIfOver();
    }
  }

  @SuppressWarnings("unchecked") // Edges are built for the operator.
  private void take(Edge edge, Item.Data data) throws Exception {
    Object value =
        ((TypeSerializer<Object>) edge.serializer())
            .deserialize(new DataInputDeserializer(data.bytes()));
    AbstractStreamOperator<?> head = chain.get(0).get();
    if (key != null) {
      head.setCurrentKey(key.applyAsInt(value));
    }
    StreamRecord<Object> record = new StreamRecord<>(value);
    if (head instanceof TwoInputStreamOperator<?, ?, ?> two) {
      if (edge.input() == 1) {
        ((TwoInputStreamOperator<Object, Object, Object>) two).processElement1(record);
      } else {
        ((TwoInputStreamOperator<Object, Object, Object>) two).processElement2(record);
      }
    } else if (mayWait) {
      run(() -> ((Input<Object>) head).processElement(record));
    } else {
      ((Input<Object>) head).processElement(record);
    }
  }

  // Checkpoints

  private void begin(Barrier barrier) throws Exception {
    listener.works(this, "trigger", barrier.checkpoint(), null);
    if (source == null) {
      newestBarrier = barrier.checkpoint();
      aligning = barrier;
      completeAlignment();
    } else if (!finished && barrier.kind().stops()) {
      reads = false;
      run(
          () -> {
            finish(barrier.kind() == Barrier.Kind.DRAIN);
            save(barrier);
          });
    } else {
      save(barrier);
    }
  }

  private void align(Edge edge, Barrier barrier) throws Exception {
    if (barrier.checkpoint() < newestBarrier) {
      return;
    }
    if (barrier.checkpoint() > newestBarrier) {
      unblock();
      newestBarrier = barrier.checkpoint();
      aligning = barrier;
    }
    if (aligning != null) {
      edge.block(true);
      completeAlignment();
    }
  }

  private void completeAlignment() throws Exception {
    if (aligning != null && inputs.stream().allMatch(edge -> edge.isBlocked() || edge.hasEnded())) {
      Barrier barrier = aligning;
      aligning = null;
      unblock();
      save(barrier);
    }
  }

  private void cancelAlignment(long checkpoint) {
    if (checkpoint >= newestBarrier && (aligning != null || checkpoint > newestBarrier)) {
      newestBarrier = checkpoint;
      aligning = null;
      unblock();
      broadcast(new Item.Cancelled(checkpoint));
    }
  }

  private void unblock() {
    for (Edge edge : inputs) {
      if (edge.isBlocked()) {
        edge.block(false);
        for (int i = 0; i < edge.waiting(); i++) {
          inbox.add(edge);
        }
      }
    }
  }

  private void save(Barrier barrier) throws Exception {
    long checkpoint = barrier.checkpoint();
    if (aborted.remove(checkpoint)) {
      broadcast(new Item.Cancelled(checkpoint));
      return;
    }
    for (Operator<?> operator : chain) {
      operator.get().prepareSnapshotPreBarrier(checkpoint);
    }
    broadcast(new Item.Mark(barrier));
    List<Operator.Saved> parts = new ArrayList<>();
    if (source != null) {
      SavedState ofSource = source.save();
      parts.add(() -> ofSource);
    }
    for (Operator<?> operator : chain) {
      parts.add(operator.save(barrier, micros() / 1_000));
    }
    boolean over = finished;
    if (over) {
      finalCheckpoint = Math.min(finalCheckpoint, checkpoint);
    }
    timeline.at(micros() + listener.writes(this, barrier), () -> written(barrier, parts, over));
  }

  private void written(Barrier barrier, List<Operator.Saved> parts, boolean over) {
    if (alive && !cutOff && !closing) {
      listener.saved(this, barrier, parts.stream().map(Operator.Saved::write).toList(), over);
    }
  }

  // The end

  private void endData(int input, boolean drained) {
    boolean inputOver =
        inputs.stream().filter(edge -> edge.input() == input).allMatch(Edge::hasDataEnded);
    boolean allOver = inputs.stream().allMatch(Edge::hasDataEnded);
    if (inputOver) {
      run(
          () -> {
            if (drained) {
              endInput(chain.get(0).get(), input);
            }
            if (allOver) {
              finishFrom(0, drained);
            }
          });
    }
  }

  private static void endInput(AbstractStreamOperator<?> operator, int input) throws Exception {
    if (operator instanceof BoundedOneInput one) {
      one.endInput();
    } else if (operator instanceof BoundedMultiInput several) {
      several.endInput(input);
    }
  }

  /** A source's chain finishes. */
  private void finish(boolean drained) throws Exception {
    if (drained && !chain.isEmpty()) {
      endInput(chain.get(0).get(), 1);
    }
    finishFrom(0, drained);
  }

  private void finishFrom(int first, boolean drained) throws Exception {
    for (int i = first; i < chain.size(); i++) {
      Operator<?> operator = chain.get(i);
      if (i > first && drained) {
        endInput(operator.get(), 1);
      }
      operator.quiesce();
      while (mailbox.tryYield()) {
        // What came before the end is done before it.
      }
      if (drained) {
        operator.get().finish();
      }
    }
    finished = true;
    broadcast(new Item.EndOfData(drained));
    listener.works(this, "finished", 0, null);
  }

  private void endIfOver() {
    if (mayEnd && !closing && inputs.stream().allMatch(Edge::hasEnded)) {
      broadcast(new Item.End());
      whenClosed = () -> listener.ended(this);
      // It closes when what it is at is done.
      timeline.in(0, this::closeAtEnd);
    }
  }

  private void closeAtEnd() {
    if (alive && !closing) {
      abandon();
      close();
    }
  }

  @Override
  public String toString() {
    return vertex + " " + index;
  }
}
