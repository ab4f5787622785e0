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
import dev.millrace.exchange.log.PartRun;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.savepoint.SubtaskStrings;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import java.io.IOException;
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

  /** A contribution to all blocks, or to those whose turn it is. */
  record MadeOne(Announcement announcement, List<Contribution> contributions) {}

  /**
   * Holds what came of what the replica did, and those that it goes on from before a restore.
   *
   * @param contributions in their order; one, unless records are forgotten
   * @param refusals contributions that it refused to make
   */
  record Made(List<MadeOne> contributions, List<Refusal> refusals) {

    /** Nothing came of it. */
    static final Made NOTHING = new Made(List.of(), List.of());

    Made {
      contributions = List.copyOf(contributions);
      refusals = List.copyOf(refusals);
    }
  }

  /** Holds what learns, with its model. */
  private record Learner(ModelReplica model, Replica replica, List<ReplicaHook> hooks) {

    static Learner of(ReplicaSettings settings, int number, int count) {
      ModelReplica model = settings.model(List.of());
      List<ReplicaHook> hooks = settings.hooks(number, count, model, HookPort.NONE);
      ReplicaHooks together = new ReplicaHooks(hooks, settings.hooks().useInputGradients());
      Replica replica = settings.replica(number, count, model, together, System::nanoTime);
      return new Learner(model, replica, hooks);
    }
  }

  private final int number;
  private final Attempt attempt;
  private final int count;
  private final ReplicaSettings settings;
  private final MinibatchWindow window;
  private final RecentRounds rounds;
  private final LoggedExamples examples;
  private final RecordSet forgotten;
  private final LogPlayer player;
  private final List<MadeOne> made = new ArrayList<>();
  private final List<Contribution> contributions = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private final DealtStates before = new DealtStates();
  private boolean begun;

  /**
   * Null until something is asked of it: one that has nothing to read may not be asked in any of
   * many attempts.
   */
  private Learner learnerOrNull;

  /** Where it is as a savepoint has it, and nothing was done since. */
  private Optional<SavedLearner> asleep = Optional.empty();

  /** The beginning of its next log, which it has done before. */
  private String done = "";

  /**
   * A replica that has yet to {@linkplain #begin begin}, or to go on from others.
   *
   * @param settings of the job
   * @param attempt that it belongs to
   * @param count how many replicas there are
   * @param forgotten records that it leaves out
   */
  RebuiltReplica(
      ReplicaSettings settings,
      Attempt attempt,
      int number,
      int count,
      RecentRounds rounds,
      LoggedExamples examples,
      RecordSet forgotten) {
    this.number = number;
    this.attempt = attempt;
    this.count = count;
    this.settings = settings;
    this.window = settings.window(count);
    this.rounds = rounds;
    this.examples = examples;
    this.forgotten = forgotten;
    this.player = new LogPlayer(settings.layout().count(), this);
  }

  private Learner learner() {
    if (learnerOrNull == null) {
      learnerOrNull = Learner.of(settings, number, count);
    }
    return learnerOrNull;
  }

  private Replica replica() {
    return learner().replica();
  }

  /** Begins with the job's first model. */
  void begin(InitialModel initial) {
    replica().begin(initial);
    begun = true;
  }

  /** Begins as a savepoint has it. */
  void begin(SavedLearner saved) {
    asleep = Optional.of(saved);
    done = saved.log();
    begun = true;
  }

  /**
   * Goes on from the savepoint, if it hasn't, as one that knows the model of a round.
   *
   * @param waits whether the schedule has it wait for rounds
   * @throws UnusableLogException if it doesn't: what it knew then isn't in the savepoint
   */
  void wake(long round, boolean waits) {
    if (asleep.isEmpty()) {
      return;
    }
    if (!waits) {
      throw new UnusableLogException(
          "The job wasn't restored from this state, and under its schedule only a restore can be followed;"
              + " begin at a state that it was restored from, or at the start");
    }
    SavedLearner saved = asleep.get();
    SavedLearner.restore(List.of(saved), saved::parts, number, replica(), learner().hooks());
    asleep = Optional.empty();
    acceptHead(round);
    rounds.newestBlocks().forEach(replica()::accept);
  }

  /** Whether it has begun, or gone on from others. */
  boolean hasBegun() {
    return begun;
  }

  /** Returns what a checkpoint has of it now. */
  SavedLearner save() {
    return asleep.orElseGet(() -> SavedLearner.of(number, replica(), learner().hooks()));
  }

  /**
   * Returns what a savepoint has of it now.
   *
   * @param log what it is to tell that it did since its last contribution
   * @param waiting examples that no log names yet, see {@link MinibatchWindow#save}
   */
  SubtaskStrings save(String log, List<byte[]> waiting) throws IOException {
    replica().retell(log);
    List<byte[]> left = window.without(this::skipForgotten, waiting);
    return save().strings(left);
  }

  /** Whether a record is forgotten, which is skipped then. */
  private boolean skipForgotten(Partition partition, long offset) {
    boolean isForgotten = forgotten.contains(partition.topic(), partition.number(), offset);
    if (isForgotten) {
      replica().skip(partition, offset);
    }
    return isForgotten;
  }

  /** Returns the model's values, live. */
  ModelReplica model() {
    return learner().model();
  }

  /**
   * Does all that a log says.
   *
   * @throws UnusableLogException if that isn't what is done
   */
  Made play(String log) {
    made.clear();
    refusals.clear();
    if (asleep.isEmpty() || !log.equals(done)) {
      requireAwake(log);
      player.play(done, log);
      done = "";
      begun = true;
    }
    return new Made(made, refusals);
  }

  private void requireAwake(String log) {
    if (asleep.isPresent()) {
      throw new UnusableLogException(
          "The job went on from a state in which replica %s had done '%s', and this one has '%s'"
              .formatted(number, log, done));
    }
  }

  @Override
  public void learn(List<RecordRun> records) {
    for (RecordRun run : records) {
      forgotten.split(
          run, gone -> each(gone, replica()::skip), left -> examples.read(left, this::add));
    }
    if (window.isEmpty()) {
      return;
    }
    window.close();
    Minibatch minibatch = window.take(0);
    requireWhole(records);
    if (!replica().isReady(minibatch)) {
      throw new UnusableLogException("A minibatch needs what isn't in the log");
    }
    // What can't be used was found, and told, when it was learned first.
    replica().learn(minibatch, (partition, offset, reason) -> {});
    window.recycle(minibatch);
  }

  /** Checks that nothing of it waits: that would be learned with the next one. */
  private void requireWhole(List<RecordRun> records) {
    if (!window.isEmpty()) {
      throw new UnusableLogException(
          ("A minibatch of the log has %s records, of %s-%s from %s on, and with these options it has %s at"
                  + " most; take the options that the job had then. Where they were changed since,"
                  + " begin at a state behind that, by --from")
              .formatted(
                  records.stream().mapToLong(RecordRun::count).sum(),
                  records.get(0).topic(),
                  records.get(0).partition(),
                  records.get(0).first(),
                  window.size()));
    }
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
    each(records, replica()::reject);
  }

  @Override
  public void skip(RecordRun records) {
    each(records, replica()::skip);
  }

  @Override
  public void holdOut(RecordRun records) {
    each(records, replica()::holdOut);
  }

  private void each(RecordRun records, ObjLongConsumer<Partition> what) {
    Partition partition = examples.partition(records.topic(), records.partition());
    for (long offset = records.first(); offset < records.end(); offset++) {
      what.accept(partition, offset);
    }
  }

  @Override
  public void acceptHead(long round) {
    RecentRounds.Head head = rounds.head(round);
    replica().accept(head.head(), head.standings().get(number));
  }

  @Override
  public void acceptBlocks(long round, BitSet blocks) {
    blocks.stream().forEach(block -> replica().accept(rounds.block(block, round)));
  }

  @Override
  public void endDelay() {
    replica().endDelay();
  }

  @Override
  public void inputEnded() {
    replica().inputEnded();
  }

  @Override
  public void check() {
    replica().refuseUnsound().ifPresent(this::note);
  }

  @Override
  public void contribute(Contributing how) {
    // Where all that was learned is forgotten there may be nothing to contribute.
    if (how == Contributing.DUE && replica().hasLearned()) {
      note(replica().contribute(contributions::add));
    } else if (how == Contributing.ALL && replica().hasToContribute()) {
      note(replica().contributeAll(contributions::add));
    } else if (how == Contributing.LAST) {
      replica().contributeLast(contributions::add).ifPresent(this::note);
    }
  }

  private void note(CoordinatorMessage outcome) {
    if (outcome instanceof Refusal refusal) {
      refusals.add(refusal);
    } else if (outcome instanceof Announcement announcement) {
      made.add(new MadeOne(announcement, List.copyOf(contributions)));
    }
    contributions.clear();
  }

  @Override
  public void before(int replicaNumber, String log) {
    Attempt.Before earlier = attempt.before(replicaNumber, log);
    before.add(replicaNumber, earlier.saved());
    made.addAll(earlier.made().contributions());
    refusals.addAll(earlier.made().refusals());
  }

  @Override
  public void deal(String hook, List<PartRun> parts) {
    before.add(hook, parts);
  }

  @Override
  public void restored(List<Integer> replicas) {
    SavedLearner.restore(before.of(replicas), before::parts, number, replica(), learner().hooks());
    before.clear();
    begun = true;
  }

  @Override
  public void close() {
    if (learnerOrNull != null) {
      learnerOrNull.model().close();
    }
  }
}
