package dev.millrace.job.train.rebuild;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.flink.replica.ReplicaSettings;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.log.LogPlayer;
import dev.millrace.exchange.log.LoggedDeeds;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;

/**
 * A replica that does again what the log says.
 *
 * <p>Not thread-safe.
 */
final class RebuiltReplica implements LoggedDeeds, AutoCloseable {

  /**
   * What came of what the replica did.
   *
   * @param refusals contributions that it refused to make before this one
   */
  record Made(
      Announcement announcement, List<Contribution> contributions, List<Refusal> refusals) {}

  private final int number;
  private final Attempt attempt;
  private final ModelReplica model;
  private final Replica replica;
  private final List<ReplicaHook> hooks;
  private final MinibatchWindow window;
  private final RecentRounds rounds;
  private final LoggedExamples examples;
  private final LogPlayer player;
  private final List<Contribution> contributions = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private final List<SavedLearner> before = new ArrayList<>();
  private Announcement announcement;
  private boolean begun;

  /**
   * A replica that has yet to {@linkplain #begin begin}, or to go on from others.
   *
   * @param settings of the job
   * @param attempt that it belongs to
   * @param count how many replicas there are
   */
  RebuiltReplica(
      ReplicaSettings settings,
      Attempt attempt,
      int number,
      int count,
      RecentRounds rounds,
      LoggedExamples examples) {
    this.number = number;
    this.attempt = attempt;
    this.model = settings.model(List.of());
    this.hooks = settings.hooks(number, count, model, HookPort.NONE);
    ReplicaHooks together = new ReplicaHooks(hooks, settings.hooks().useInputGradients());
    this.replica = settings.replica(number, count, model, together, System::nanoTime);
    this.window = settings.window(count);
    this.rounds = rounds;
    this.examples = examples;
    this.player = new LogPlayer(settings.layout().count(), this);
  }

  /** Begins with the job's first model. */
  void begin(InitialModel initial) {
    replica.begin(initial);
    begun = true;
  }

  /** Whether it has begun, or gone on from others. */
  boolean hasBegun() {
    return begun;
  }

  /** Returns what a checkpoint has of it now. */
  SavedLearner save() {
    return SavedLearner.of(number, replica, hooks);
  }

  /** Returns the model's values, live. */
  ModelReplica model() {
    return model;
  }

  /**
   * Does all that a log says, up to a contribution.
   *
   * @throws UnusableLogException if what it does isn't what the log says
   */
  Made contribution(long sequence, String log) {
    contributions.clear();
    refusals.clear();
    announcement = null;
    player.play(log);
    if (announcement == null || announcement.sequence() != sequence) {
      throw new UnusableLogException(
          "Replica %s should have made contribution %s, and has made %s, of the log '%s'"
              .formatted(
                  number, sequence, announcement == null ? "none" : announcement.sequence(), log));
    }
    return new Made(announcement, List.copyOf(contributions), List.copyOf(refusals));
  }

  /** Does all that a log says, which leads to no contribution. */
  void play(String log) {
    player.play(log);
  }

  @Override
  public void learn(List<RecordRun> records) {
    records.forEach(run -> examples.read(run, this::add));
    window.close();
    Minibatch minibatch = window.take(0);
    if (!replica.isReady(minibatch)) {
      throw new UnusableLogException("A minibatch needs what isn't in the log");
    }
    // What can't be used was found, and told, when it was learned first.
    replica.learn(minibatch, (partition, offset, reason) -> {});
    window.recycle(minibatch);
  }

  private void add(Received received) {
    if (!(received instanceof Example example)) {
      throw new UnusableLogException(
          "Record %s of %s was learned, and is no example now; take the options that the job had"
              .formatted(received.offset(), received.partition()));
    }
    window.add(example, 0);
  }

  @Override
  public void reject(RecordRun records) {
    each(records, replica::reject);
  }

  @Override
  public void skip(RecordRun records) {
    each(records, replica::skip);
  }

  @Override
  public void holdOut(RecordRun records) {
    each(records, replica::holdOut);
  }

  private static void each(RecordRun records, ObjLongConsumer<Partition> what) {
    Partition partition = new Partition(records.topic(), records.partition());
    for (long offset = records.first(); offset < records.end(); offset++) {
      what.accept(partition, offset);
    }
  }

  @Override
  public void acceptHead(long round) {
    RecentRounds.Head head = rounds.head(round);
    replica.accept(head.head(), head.standings().get(number));
  }

  @Override
  public void acceptBlocks(long round, BitSet blocks) {
    blocks.stream().forEach(block -> replica.accept(rounds.block(block, round)));
  }

  @Override
  public void endDelay() {
    replica.endDelay();
  }

  @Override
  public void inputEnded() {
    replica.inputEnded();
  }

  @Override
  public void check() {
    replica.refuseUnsound().ifPresent(this::note);
  }

  @Override
  public void contribute(Contributing how) {
    Optional<CoordinatorMessage> outcome =
        switch (how) {
          case DUE -> Optional.of(replica.contribute(contributions::add));
          case ALL -> Optional.of(replica.contributeAll(contributions::add));
          case LAST -> replica.contributeLast(contributions::add);
        };
    outcome.ifPresent(this::note);
  }

  private void note(CoordinatorMessage outcome) {
    if (outcome instanceof Refusal refusal) {
      refusals.add(refusal);
    } else if (outcome instanceof Announcement made) {
      announcement = made;
    }
  }

  @Override
  public void before(int replicaNumber, String log) {
    before.add(attempt.before(replicaNumber, log));
  }

  @Override
  public void restored(List<Integer> replicas) {
    SavedLearner.restore(before, number, !attempt.isAsLargeAsBefore(), replica, hooks);
    before.clear();
    begun = true;
  }

  @Override
  public void close() {
    model.close();
  }
}
