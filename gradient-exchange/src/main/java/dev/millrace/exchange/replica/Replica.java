package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.codec.ContributionEncoder;
import dev.millrace.exchange.hook.DealtParts;
import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.log.ReplicaLog;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;
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

  private final ReplicaParts parts;
  private final Pace pace;
  private final BlockRequests requests;
  private final LocalSteps steps;
  private final Contributor contributor;
  private final ReplicaCheckpoint checkpoint;
  private final DelayedFeedback delayed;
  private final ReplicaLog log;

  /**
   * A replica that starts from the global model, once that has come.
   *
   * @param index number of the replica in the job
   * @param model whose updater's state is zero
   * @param layout of the exchanged part of the model's vector
   * @param rules that all replicas of the job follow
   * @param share what its steps are of the whole job's
   * @param hooks what helps it learn
   * @param nanoTime as {@link System#nanoTime}
   */
  public Replica(
      int index,
      ModelReplica model,
      BlockLayout layout,
      ReplicaRules rules,
      JobShare share,
      ReplicaHooks hooks,
      LongSupplier nanoTime) {
    ExampleShape shape = model.spec().shape();
    LearnedFeatures learned = LearnedFeatures.none(shape, rules.standardize());
    ContributionEncoder encoder = rules.codecs().encoder(layout);
    LocalVector vector = new LocalVector(model, layout, encoder);
    this.parts =
        new ReplicaParts(
            index,
            model,
            vector,
            new PendingContribution(
                learned.statistics().features(),
                shape.columns().words().size(),
                layout.count(),
                new ExampleErrors(shape, share.tells().errors()),
                share.tells().samples() ? shape.features() : 0,
                new ReplicaLog(share.tells().log(), layout.count())),
            new Standardizer(shape, learned),
            new OwnContributions(vector.rounds()),
            new JobSteps(share),
            hooks,
            new PhaseClock(nanoTime));
    this.pace = new Pace(rules.schedule(), parts.clock());
    this.requests = new BlockRequests(parts, layout);
    this.steps = new LocalSteps(parts, rules.schedule().fragments());
    FragmentTurns turns = new FragmentTurns(rules.schedule(), layout);
    this.contributor =
        new Contributor(parts, new ContributionCheck(parts, rules.guard()), encoder, turns);
    this.delayed = new DelayedFeedback(parts, pace);
    this.checkpoint = new ReplicaCheckpoint(parts, delayed, layout, rules.changesAddUp());
    this.log = parts.progress().log();
  }

  /** Takes the values and steps of a new job's model; of what isn't exchanged it keeps them. */
  public void begin(InitialModel initial) {
    parts.model().write(0, initial.vector(), 0, initial.vector().length);
    parts.model().setSteps(UpdaterSteps.of(initial));
    parts.hooks().begin(initial.vector());
  }

  /**
   * Asks for one block.
   *
   * @param home where it is told
   */
  public Pull pull(int block, String home) {
    return requests.pull(block, home);
  }

  /**
   * Asks for one block, and offers this replica's own values for the global model to start from.
   *
   * @param optimizer what the server optimizer has kept of the whole model
   * @param home where it is told
   */
  public Pull offer(int block, ServerOptimizerState optimizer, String home) {
    return requests.offer(block, optimizer, home);
  }

  /** Whether it knows the whole global model, blocks and head: what it learns starts from there. */
  public boolean knowsModel() {
    return parts.vector().isComplete() && pace.isKnown();
  }

  public boolean mayTrain() {
    return parts.vector().isComplete() && pace.mayTrain(isReleased(), parts.progress().steps());
  }

  /** Returns what it waits for before it may train, in words; empty while it may. */
  public Optional<String> waitsFor() {
    return new AwaitedModel(parts, pace).lacks();
  }

  /**
   * Whether what helps it learn has all that a step on a minibatch needs; it asks for that.
   * Minibatches come in the order in which they are learned.
   */
  public boolean isReady(Minibatch minibatch) {
    return parts.hooks().areReady(minibatch);
  }

  /** Gives what helps it learn a message from its own part of the job. */
  public void accept(HookMessage message) {
    parts.hooks().accept(message);
  }

  /**
   * One local step, unless no example is left for it. Standardizes the minibatch's features in
   * place, and takes out what the model can't compute with: that is in the ledger as rejected, and
   * costs nothing else.
   *
   * @param unusable is told of what is taken out
   * @return how the minibatch was predicted before it was learned from
   */
  public Measures learn(Minibatch minibatch, UnusableExamples.Handler unusable) {
    log.learn(minibatch);
    Measures measures = steps.make(minibatch, unusable);
    if (!delayed.isOn()) {
      takeDelayed();
    }
    return measures;
  }

  /** No more examples come but those that wait: from now on a delay has no end. */
  public void inputEnded() {
    log.inputEnded();
    delayed.keepForGood();
  }

  /**
   * Takes in what has come of the round that has its newest contribution, and from now on what
   * comes, however many local steps it has made since: it makes no more for a while.
   */
  public void endDelay() {
    // An idle replica asks again and again, and its log would grow.
    if (delayed.hasAnEnd()) {
      log.endDelay();
      takeDelayed();
    }
  }

  private void takeDelayed() {
    delayed.end(this::take, this::take);
  }

  /** Enters a record that can't be learned from into the ledger. */
  public void reject(Partition partition, long offset) {
    log.reject(partition, offset);
    parts.progress().ledger().rejected(partition, offset);
  }

  /** Enters a record that says nothing to learn from into the ledger. */
  public void skip(Partition partition, long offset) {
    log.skip(partition, offset);
    parts.progress().ledger().skipped(partition, offset);
  }

  /** Enters a record that the model is measured by, and never learns from, into the ledger. */
  public void holdOut(Partition partition, long offset) {
    log.holdOut(partition, offset);
    parts.progress().ledger().heldOut(partition, offset);
  }

  /** Whether the schedule asks for a contribution now. */
  public boolean isDue() {
    return isReleased() && pace.isEnough(parts.progress().steps());
  }

  /** Whether training is over: what is left is to be contributed, and no more records taken. */
  public boolean hasEnded() {
    return pace.hasEnded();
  }

  /** Whether there is anything learned to contribute, due or not. */
  public boolean hasLearned() {
    return parts.progress().steps() > 0;
  }

  /** Whether any block has yet to contribute anything, beside what codecs left out of it. */
  public boolean hasToContribute() {
    return parts.progress().isOwed();
  }

  /** Whether all its contributions are in the global model as it knows it; before, none is due. */
  public boolean isReleased() {
    return parts.contributions().areIncluded();
  }

  /**
   * Contributes what was learned, in the blocks whose turn it is; or refuses what was learned since
   * the last contribution and goes back to the global model, if it isn't finite or changes too
   * much.
   *
   * @param out receives the change, block by block
   * @return what the coordinator is to be told
   */
  public CoordinatorMessage contribute(Consumer<Contribution> out) {
    log.contribute();
    return contributor.contribute(pace.round(), out);
  }

  /** Contributes what was learned in all blocks, where none is to wait for its turn. */
  public CoordinatorMessage contributeAll(Consumer<Contribution> out) {
    log.contributeAll();
    return contributor.contributeAll(pace.round(), false, out);
  }

  /**
   * Contributes all that is left when none will follow, every bit of it, whatever the codecs; what
   * they left out before, too. Where that decays, as much of it as any contribution has. A refusal
   * leaves what was left out before: this is to be asked until it is empty.
   *
   * @param out as of {@link #contribute}
   * @return as of {@link #contribute}; empty if nothing is left
   */
  public Optional<CoordinatorMessage> contributeLast(Consumer<Contribution> out) {
    if (!hasLearned() && !parts.vector().hasResidual()) {
      return Optional.empty();
    }
    log.contributeLast();
    return Optional.of(contributor.contributeAll(pace.round(), true, out));
  }

  /**
   * Goes back to the global model if what it has learned is nothing to contribute nor to keep.
   *
   * @return what the coordinator is to be told; empty if all is well
   */
  public Optional<CoordinatorMessage> refuseUnsound() {
    // What a checkpoint gave was looked at before, and its anchors may have yet to come.
    if (!knowsModel()) {
      return Optional.empty();
    }
    boolean learned = hasLearned();
    if (learned) {
      log.check();
    }
    Optional<CoordinatorMessage> refusal = contributor.refuseUnsound(pace.round());
    if (refusal.isPresent() && !learned) {
      log.check();
    }
    return refusal;
  }

  /** The last word, when the input has ended and all that was learned is contributed. */
  public Farewell farewell() {
    parts.hooks().ended();
    return contributor.farewell();
  }

  /**
   * Takes a newer block in, now or at the end of the schedule's delay, and keeps its values, which
   * must never change.
   */
  public void accept(BlockUpdate update) {
    log.accept(update.block(), update.round(), knowsNothingElse());
    if (!delayed.keeps(update)) {
      take(update);
    }
  }

  /**
   * Whether the replica is the global model and nothing else: then what it is told next takes the
   * place of what it was told before.
   */
  private boolean knowsNothingElse() {
    return parts.vector().isGlobal() && !delayed.isOn() && !parts.hooks().keepState();
  }

  private void take(BlockUpdate update) {
    long start = parts.clock().now();
    parts.vector().accept(update);
    parts.clock().applied(start);
    noteRelease();
  }

  private void noteRelease() {
    if (isReleased()) {
      parts.clock().released();
    }
  }

  /**
   * Takes the head of a round in, now or at the end of the schedule's delay, and what the
   * coordinator knows of this replica.
   */
  public void accept(RoundHead head, Standing standing) {
    log.accept(head.round(), knowsNothingElse());
    if (parts.contributions().isNewcomer()) {
      log.settle();
    }
    Standing before = parts.contributions().awaited().standing();
    delayed.resumed().ifPresent(resumed -> take(resumed, before));
    if (!delayed.keeps(head, standing)) {
      take(head, standing);
      if (!delayed.isOn()) {
        // It may have shortened the delay.
        takeDelayed();
      }
    }
  }

  private void take(RoundHead head, Standing standing) {
    boolean isNewest = head.round() == standing.includedIn();
    if (parts.contributions().accept(standing, isNewest ? head.changed() : List.of())) {
      UpdaterSteps.take(parts, head);
    }
    pace.accept(head);
    parts.job().accept(head, standing);
    parts.standardizer().accept(head, standing);
    parts.hooks().accept(head);
    noteRelease();
  }

  /** Rounds in the global model as this replica knows it. */
  public long round() {
    return pace.round();
  }

  /**
   * Returns how far the parameters were from the global model at the newest contribution: the L2
   * norm of their change, relative to that of the parameters they started from. NaN before the
   * first.
   */
  public double divergence() {
    return parts.vector().divergence();
  }

  /**
   * Rounds between the global model that the newest included contribution started from and the
   * round that includes it. Negative while none is known, as after a restore.
   */
  public long staleness() {
    return parts.contributions().staleness();
  }

  /** Nanoseconds from the newest contribution to its round, once that is known. */
  public long roundLatency() {
    return parts.clock().latency();
  }

  /** Examples that its next minibatch is to have, of as many as are configured. */
  public int minibatch(int configured) {
    return parts.job().minibatch(configured);
  }

  /** Returns what it did since its last contribution, see {@link ReplicaLog}. */
  public String log() {
    return log.text();
  }

  /**
   * Has it tell that it did this since its last contribution, in place of what it did: where it
   * does again what another one did before it.
   *
   * @param other see {@link #log}
   */
  public void retell(String other) {
    log.retell(other);
  }

  /** This replica as it is now, for a checkpoint. */
  public SavedReplica save() throws IOException {
    return checkpoint.save();
  }

  /**
   * Records that a saved replica had learned from, or rejected, since its last contribution.
   *
   * @param saved what {@link #save} gave, which is read in part
   */
  public static Ledger recordsUnderWay(DataInput saved) throws IOException {
    return ReplicaState.read(saved).metadata().ledger();
  }

  /**
   * Returns what a saved replica had done since its last contribution, see {@link #log}.
   *
   * @param saved what {@link #save} gave, which is read in part
   */
  public static String logUnderWay(DataInput saved) throws IOException {
    return ReplicaState.read(saved).metadata().log();
  }

  /**
   * Continues from replicas of a checkpoint: from this very one if it is among them, otherwise, the
   * parallelism having changed, in the place of another. What the rest had learned and not yet
   * contributed is taken over: added up, or averaged by examples, as the exchange does it. What any
   * of them had under way counts on its own.
   *
   * <p>It trains again once the blocks have come that are as the global model has them.
   *
   * @param saved what {@link #save} gave, of as many replicas as now belong to this one; each is
   *     read once
   * @param dealt what hooks get back, which is written down
   * @throws InvalidModelException if they are of another model or layout, or if only one of both
   *     standardizes
   */
  public void restore(List<? extends DataInput> saved, List<DealtParts> dealt) throws IOException {
    checkpoint.restore(saved, dealt).ifPresent(delayed::resume);
  }
}
