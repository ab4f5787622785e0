package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.round.RosterMessage;
import dev.millrace.exchange.round.RosterMessage.Announcement;
import dev.millrace.exchange.round.RosterMessage.Farewell;
import dev.millrace.exchange.round.RosterMessage.Refusal;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.UnusableExamplesException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One model copy and its side of the exchange: it learns from minibatches, contributes what it has
 * learned, and takes in what the replicas made of it together.
 *
 * <p>It may train once it knows the whole global model and the head of the newest round; under a
 * schedule that waits, not between a contribution and the round that includes it.
 *
 * <p>Belongs to one thread, like its {@link ModelReplica}.
 */
public final class Replica {

  private static final float[] NO_VALUES = new float[0];

  private static final String DIVERGES =
      "values that exploded or aren't finite: the model diverges. Lower model.learning-rate, or look"
          + " at the examples' features and labels; guard.max-change says how much is an explosion";

  private final int index;
  private final ModelReplica model;
  private final BlockLayout layout;
  private final Schedule schedule;
  private final LocalVector vector;
  private final Progress progress;
  private final Standardizer standardizer;
  private final Staleness staleness = new Staleness();
  private final PhaseClock clock;
  private final Guard guard;
  private final ServerOptimizerState serverOptimizer;

  private final Awaited awaited;
  private long sequence;
  private long round;
  private boolean knowsHead;
  private int localSteps;
  private boolean ended;

  /** Whether it has yet to learn from a head what its number contributed before. */
  private boolean newcomer = true;

  private float[] predictions = NO_VALUES;

  /**
   * A replica that starts from the global model, once that has come; {@code initial} fills what
   * isn't exchanged, and is what the global model starts from if there is none yet.
   *
   * @param index number of the replica in the job
   * @param layout of the exchanged part of the model's vector
   * @param encoder of its contributions
   * @param standardize whether features are standardized before they are learned from
   * @param guard which contributions it refuses
   * @param nanoTime as {@link System#nanoTime}
   */
  public Replica(
      int index,
      ModelReplica model,
      InitialModel initial,
      BlockLayout layout,
      Encoder encoder,
      Schedule schedule,
      boolean standardize,
      Guard guard,
      LongSupplier nanoTime) {
    this.index = index;
    this.model = model;
    this.layout = layout;
    this.schedule = schedule;
    this.guard = guard;
    this.serverOptimizer = initial.serverOptimizer();
    this.clock = new PhaseClock(nanoTime);
    int features = standardize ? model.spec().shape().features() : 0;
    this.progress = new Progress(features);
    this.standardizer = new Standardizer(features);
    this.awaited = new Awaited(layout.count());
    model.write(0, initial.vector(), 0, initial.vector().length);
    model.setIteration(initial.iteration());
    this.vector = new LocalVector(model, layout, encoder);
  }

  /**
   * Asks for one block.
   *
   * @param offerInitial whether to offer this replica's own values to start from, and what the
   *     server optimizer has kept of them
   * @param home where it is told
   */
  public Pull pull(int block, boolean offerInitial, String home) {
    return offerInitial
        ? new Pull(
            block,
            vector.values(block),
            serverOptimizer.part(layout.offset(block), layout.parameters(block)),
            index,
            home)
        : new Pull(block, NO_VALUES, ServerOptimizerState.NONE, index, home);
  }

  public boolean mayTrain() {
    return knowsHead && vector.isComplete() && (!schedule.waits() || isReleased());
  }

  /**
   * One local step. Standardizes the minibatch's features in place.
   *
   * @return how the minibatch was predicted before it was learned from
   * @throws dev.millrace.model.UnusableExamplesException if the model can't compute with it; it is
   *     to be {@linkplain #refuse(Minibatch, UnusableExamplesException) refused} then
   */
  public Measures learn(Minibatch minibatch) {
    long start = clock.now();
    if (!hasLearned()) {
      staleness.starts(vector.oldestRound());
    }
    int needed = minibatch.capacity() * minibatch.shape().outputs();
    if (predictions.length < needed) {
      predictions = new float[needed];
    }
    if (standardizer.isOn()) {
      progress.look(minibatch);
      standardizer.apply(minibatch, progress.statistics());
    }
    vector.touch();
    model.fit(minibatch, predictions);
    Measures measures =
        Measures.of(minibatch.shape(), predictions, minibatch.labels(), minibatch.size());
    progress.learned(minibatch, measures);
    clock.fitted(start);
    return measures;
  }

  /**
   * Leaves out a minibatch that {@link #learn} has thrown for, and with it all that was learned
   * since the last contribution, since the step may have been made in part.
   *
   * @return what the roster is to be told
   */
  public Refusal refuse(Minibatch minibatch, UnusableExamplesException cause) {
    Ledger records = new Ledger();
    minibatch.recordIn(records);
    progress.ledger().merge(records);
    return refuse(
        ("the network can't compute with a record of %s: %s. Have features hold what its layers"
                + " take, such as ids from 0 to below an embedding's nIn")
            .formatted(records.places(), cause.getMessage()));
  }

  /** Enters a record that can't be learned from into the ledger. */
  public void reject(Partition partition, long offset) {
    progress.ledger().rejected(partition, offset);
  }

  /** Whether the schedule asks for a contribution now. */
  public boolean isDue() {
    return isReleased() && (progress.steps() >= localSteps || isOverdue());
  }

  private boolean isOverdue() {
    long interval = schedule.interval().toNanos();
    return interval > 0 && clock.elapsed() >= interval;
  }

  /** Whether training is over: what is left is to be contributed, and no more records taken. */
  public boolean hasEnded() {
    return ended;
  }

  /** Whether there is anything learned to contribute, due or not. */
  public boolean hasLearned() {
    return progress.steps() > 0;
  }

  /**
   * Whether every contribution of this replica is in the global model as it knows it; until then a
   * further one is not due.
   */
  public boolean isReleased() {
    return awaited.isOver();
  }

  /**
   * Contributes all that was learned since the last contribution; but refuses to if it isn't finite
   * or changes too much, and goes back to the global model.
   *
   * @param out receives the change, block by block
   * @return what the roster is to be told
   */
  public RosterMessage contribute(Consumer<Contribution> out) {
    long start = clock.now();
    Optional<String> farAway = featuresFarAway();
    if (farAway.isPresent()) {
      return refuse(farAway.get());
    }
    if (!vector.contribute(index, sequence + 1, guard.mostChange(round), out)) {
      return refuse(DIVERGES);
    }
    sequence++;
    awaited.contributed(sequence);
    staleness.contributed();
    standardizer.contributed(sequence, progress.statistics());
    clock.encoded(start);
    Announcement announcement =
        new Announcement(
            index, sequence, progress.tally(model.iteration()), clock.take(progress.steps()));
    clock.sent();
    progress.contributed(!vector.isClean());
    return announcement;
  }

  /**
   * Goes back to the global model now if what it has learned is nothing to contribute, so that no
   * checkpoint keeps it.
   *
   * @return what the roster is to be told; empty if all is well
   */
  public Optional<RosterMessage> refuseUnsound() {
    return featuresFarAway().or(this::explosion).map(this::refuse);
  }

  /** One example far away would make all others look the same, once they are standardized by it. */
  private Optional<String> featuresFarAway() {
    return standardizer.isOn()
        ? standardizer.farAway(progress.statistics(), guard.mostDistance())
        : Optional.empty();
  }

  private Optional<String> explosion() {
    boolean sound = vector.isSound(guard.mostChange(round)) && vector.isRestSound();
    return sound ? Optional.empty() : Optional.of(DIVERGES);
  }

  private Refusal refuse(String reason) {
    Ledger refused = new Ledger();
    refused.reject(progress.ledger());
    // The next contribution's times are of its own steps, and so is its interval.
    clock.take(progress.steps());
    progress.forget();
    vector.reset();
    return new Refusal(index, refused, reason);
  }

  /** The last word, when the input has ended and all that was learned is contributed. */
  public Farewell farewell() {
    Farewell farewell = new Farewell(index, progress.ledger());
    // A checkpoint from now on holds this in the roster: it must not be in the replica's part too.
    progress.clear();
    return farewell;
  }

  /** Takes a newer block in, and keeps its values, which must never change. */
  public void accept(BlockUpdate update) {
    long start = clock.now();
    vector.accept(update);
    awaited.block(update.block(), update.included().of(index));
    clock.applied(start);
    noteRelease();
  }

  private void noteRelease() {
    if (isReleased()) {
      clock.released();
    }
  }

  public void accept(RoundHead head) {
    if (newcomer) {
      newcomer = false;
      sequence = head.announced().of(index);
      model.setIteration(Math.max(model.iteration(), head.iteration()));
    }
    knowsHead = true;
    round = Math.max(round, head.round());
    if (awaited.head(head.included().of(index))) {
      staleness.included(head.round());
    }
    standardizer.accept(head, index);
    localSteps = head.localSteps();
    ended = head.ended();
    noteRelease();
  }

  /** Rounds in the global model as this replica knows it. */
  public long round() {
    return round;
  }

  /**
   * How far the parameters had moved from the global model at the newest contribution: the L2 norm
   * of their change, relative to that of the parameters they started from. NaN before the first
   * contribution.
   */
  public double drift() {
    return vector.drift();
  }

  /**
   * Rounds made between the global model that the newest included contribution started from and the
   * round that includes it: 0 under a schedule that waits, unless a round went on without it.
   * Negative while none is known, as after a restore.
   */
  public long staleness() {
    return staleness.newest();
  }

  /** Nanoseconds from the newest contribution to its round, once that is known. */
  public long roundLatency() {
    return clock.latency();
  }

  /** This replica as it is now, for a checkpoint. */
  public SavedReplica save() throws IOException {
    return SavedReplica.of(
        new ReplicaState(
            index,
            newcomer,
            model.iteration(),
            sequence,
            awaited.sequence(),
            awaited.included(),
            awaited.headIncluded(),
            progress.steps(),
            progress.tally(model.iteration()),
            standardizer.global(),
            standardizer.underWay(),
            vector.save(),
            progress.weightBehind()));
  }

  /**
   * Records that a saved replica had learned from, or rejected, since its last contribution.
   *
   * @param saved the bytes of what {@link #save} gave
   */
  public static Ledger recordsUnderWay(byte[] saved) throws IOException {
    return ReplicaState.read(new DataInputStream(new ByteArrayInputStream(saved))).tally().ledger();
  }

  /**
   * Continues from replicas of a checkpoint: from this very one if it is among them, otherwise, the
   * parallelism having changed, in the place of another. What the rest had learned and not yet
   * contributed is taken over, weighted by examples. What any of them had under way counts on its
   * own.
   *
   * @param saved the bytes of what {@link #save} gave, of as many replicas as now belong to this
   *     one
   * @throws InvalidModelException if they are of another model or layout, or if only one of both
   *     standardizes
   */
  public void restore(List<byte[]> saved) throws IOException {
    List<ReplicaState> states = new ArrayList<>();
    for (byte[] bytes : saved) {
      ReplicaState state = ReplicaState.read(new DataInputStream(new ByteArrayInputStream(bytes)));
      state.requireFor(model.spec(), layout, standardizer.global());
      states.add(state);
    }
    if (states.isEmpty()) {
      return;
    }
    adopt(states.remove(ReplicaState.placeOf(index, states)));
    states.forEach(this::absorb);
  }

  private void adopt(ReplicaState state) {
    vector.restore(state.vector());
    model.setIteration(state.iteration());
    progress.absorb(state.tally(), state.steps(), state.weightBehind());
    if (state.index() == index) {
      newcomer = state.newcomer();
      sequence = state.sequence();
      awaited.restore(state);
      standardizer.restore(state.statistics(), state.underWay());
    } else {
      // Its contributions under way are known by its number, not by ours: take the whole model
      // anew.
      standardizer.restore(state.statistics(), Map.of());
      vector.forgetRounds();
    }
  }

  private void absorb(ReplicaState state) {
    double weight = Math.max(state.weightBehind(), state.tally().weight());
    if (weight > 0) {
      vector.absorb(state.vector(), (float) (weight / (progress.weightBehind() + weight)));
    }
    progress.absorb(state.tally(), state.steps(), weight);
  }
}
