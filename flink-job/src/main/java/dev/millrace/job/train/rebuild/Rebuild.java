package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.publication.ModelAssembler;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.exchange.savepoint.SubtaskStrings;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.job.train.publish.PublisherOperator;
import dev.millrace.job.train.rebuild.RebuiltReplica.MadeOne;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A job's training, done again round by round in one thread, from the model that the job began with
 * or from a savepoint. It has the job's own objects, so each round's model is the same, bit by bit,
 * but for records that are forgotten. Replicas learn beside each other, each on a thread of its
 * own.
 *
 * <p>Not thread-safe.
 */
public final class Rebuild implements AutoCloseable {

  private final TrainingSettings settings;
  private final LogChain chain;
  private final List<LoggedExamples> examples = new ArrayList<>();
  private final Lanes lanes;
  private final RecordSet forgotten;
  private final Tail tail;

  private final CoordinatorState state;
  private final Coordinator coordinator;
  private final Combiner combiner;
  private final List<GlobalBlock> blocks = new ArrayList<>();
  private final AskedRounds asked;
  private final RecentRounds rounds = new RecentRounds();
  private Attempt attempt;

  /** What replicas are to tell that they did since their last contributions. */
  private final Map<Integer, String> told = new HashMap<>();

  /** How many entries were followed. */
  private int place;

  /**
   * How many contributions of the job weren't made, since nothing was left to learn for them, less
   * those that it had refused for what is forgotten; by replica.
   */
  private final Map<Integer, Long> leftOut = new HashMap<>();

  /**
   * Begins where a chain does.
   *
   * @param settings of the job
   * @param chain what is to be done
   * @param from the state that the chain begins behind; empty where it begins with the job
   * @param examples makes what reads them, for each number of a replica
   * @param forgotten records that are left out
   * @param tail what is to be done behind the chain
   * @throws UnusableLogException if the chain doesn't begin there
   */
  Rebuild(
      TrainingSettings settings,
      LogChain chain,
      Optional<SavedTraining> from,
      Supplier<LoggedExamples> examples,
      RecordSet forgotten,
      Tail tail)
      throws IOException {
    this.settings = settings;
    this.chain = chain;
    this.forgotten = forgotten;
    this.tail = tail;
    this.lanes = new Lanes(chain.mostReplicas());
    for (int number = 0; number < chain.mostReplicas(); number++) {
      this.examples.add(examples.get());
    }
    List<byte[]> saved = new ArrayList<>();
    if (from.isPresent()) {
      saved.add(from.get().coordinator());
    }
    this.state = CoordinatorState.open(settings.coordinator(), saved);
    this.coordinator = state.coordinator();
    BlockLayout layout = settings.replica().layout();
    this.asked = AskedRounds.of(chain.entries(), tail.logs(), layout.count());
    this.combiner =
        new Combiner(
            layout,
            settings.aggregator(),
            settings.serverOptimizer(),
            settings.feedback(),
            settings.averaging());
    if (from.isPresent()) {
      beginAt(from.get());
    }
  }

  private void beginAt(SavedTraining saved) throws IOException {
    blocks.addAll(saved.blocks());
    attempt = attempt(coordinator.version().generation(), chain.replicas());
    Tail.learners(saved).forEach((number, one) -> attempt.replicas().get(number).begin(one));
    greet(chain.replicas());
    tellAll();
  }

  private Attempt attempt(long generation, int count) {
    return new Attempt(
        lanes,
        attempt,
        generation,
        count,
        (of, number) ->
            new RebuiltReplica(
                settings.replica(), of, number, count, rounds, examples.get(number), forgotten));
  }

  private void greet(int replicas) {
    for (int number = 0; number < replicas; number++) {
      coordinator.hello(new Hello(number, replicas, ""));
    }
  }

  private void tellAll() {
    for (GlobalBlock block : blocks) {
      BlockUpdate update = block.told(combiner);
      rounds.add(update.round(), update);
    }
    addHead(coordinator.version().round());
  }

  /**
   * Does the next thing that the log says.
   *
   * @throws UnusableLogException if it can't be done, or isn't what the log says
   */
  void make(LogEntry entry) {
    if (entry instanceof Start start) {
      begin(start);
    } else if (entry instanceof Round round) {
      make(round);
    } else if (entry instanceof Forgotten once) {
      passOver(once);
    }
    rounds.keep(round -> asked.isAskedBehind(place, round));
    place++;
  }

  private void begin(Start next) {
    if (next.readers() != chain.start().readers()) {
      throw new UnusableLogException(
          ("From version %s on %s replicas could have something to read, and %s before: topics got"
                  + " other partitions")
              .formatted(next.version(), next.readers(), chain.start().readers()));
    }
    contributeOlder(next.version().generation());
    attempt = attempt(next.version().generation(), next.replicas());
    if (blocks.isEmpty()) {
      beginAnew();
    }
    coordinator.begin(next.version().generation());
    greet(next.replicas());
    addHead(next.version().round());
  }

  /**
   * Makes contributions that attempts before had announced, and that rounds have yet to take: a
   * replica that takes a number over is told how many there are.
   */
  private void contributeOlder(long generation) {
    Stream<Contributed> later =
        chain.entries().stream()
            .skip(place)
            .filter(Round.class::isInstance)
            .flatMap(round -> ((Round) round).members().stream());
    Stream.concat(later, tail.underWay().stream())
        .filter(member -> member.generation() < generation)
        .forEach(member -> contribute(List.of(member)));
  }

  private void beginAnew() {
    for (int number = 0; number < attempt.replicas().size(); number++) {
      RebuiltReplica replica = attempt.replicas().get(number);
      lanes.run(number, () -> replica.begin(settings.initial()));
    }
    BlockLayout layout = settings.replica().layout();
    for (int block = 0; block < layout.count(); block++) {
      blocks.add(first(block, layout));
    }
    tellAll();
  }

  private GlobalBlock first(int number, BlockLayout layout) {
    float[] values = new float[layout.size(number)];
    attempt.replicas().get(0).model().read(layout.offset(number), values, 0, values.length);
    GlobalBlock block = new GlobalBlock(number);
    ServerOptimizerState optimizer = settings.initial().serverOptimizer();
    block.initialize(values, optimizer, combiner);
    return block;
  }

  /** Passes over it, since its records are left out already. The log counts as this does now. */
  private void passOver(Forgotten once) {
    coordinator.begin(once.version().generation());
    requireVersion(once.version());
    leftOut.clear();
  }

  private void make(Round round) {
    attempt.wake(coordinator.version().round(), waits());
    contribute(round.members());
    long number = round.version().round();
    ClosedRound closed;
    if (coordinator.hasAnnouncements()) {
      tellAway(round.away());
      closed = coordinator.close(settings.coordinator().pace().whole());
    } else {
      closed = coordinator.pass();
    }
    requireVersion(round.version());
    closed.decisions(blocks.size(), false).forEach(this::combine);
    addHead(number);
    attempt.prune();
  }

  private boolean waits() {
    return settings.coordinator().pace().schedule().waits();
  }

  private void requireVersion(ModelVersion wanted) {
    if (!coordinator.version().equals(wanted)) {
      throw new UnusableLogException(
          "Version %s is made as %s".formatted(wanted, coordinator.version()));
    }
  }

  private void contribute(List<Contributed> members) {
    List<Contributed> left = members.stream().filter(this::isToBeMade).toList();
    List<RebuiltReplica.Made> made =
        // A replica that takes the place of another has that do something first.
        attempt.isSettled()
            ? lanes.all(left, Contributed::replica, this::play)
            : left.stream().map(this::play).toList();
    for (int at = 0; at < left.size(); at++) {
      take(left.get(at), made.get(at));
    }
  }

  /** Whether it wasn't on its way in the state that this began with. */
  private boolean isToBeMade(Contributed member) {
    return sequence(member) > coordinator.standing(member.replica()).announced();
  }

  /** Returns which contribution it is here. */
  private long sequence(Contributed member) {
    return member.sequence() - leftOut.getOrDefault(member.replica(), 0L);
  }

  private RebuiltReplica.Made play(Contributed member) {
    return attempt.replica(member.replica(), member.generation()).play(member.log());
  }

  private void take(Contributed member, RebuiltReplica.Made made) {
    long sequence = sequence(member);
    made.refusals().forEach(coordinator::refuse);
    List<MadeOne> all = made.contributions();
    if (all.size() != 1 || all.get(0).announcement().sequence() != sequence) {
      requireForgetting(member, all);
      count(member.replica(), 1);
      all.forEach(one -> count(one.announcement().replica(), -1));
    }
    for (MadeOne one : all) {
      coordinator.announce(one.announcement().retold(member.log()), member.generation());
      one.contributions().forEach(part -> blocks.get(part.block()).add(part));
    }
  }

  private void count(int replica, long more) {
    leftOut.merge(replica, more, Long::sum);
  }

  /** Other contributions than the job made come of what is forgotten alone. */
  private void requireForgetting(Contributed member, List<MadeOne> made) {
    if (forgotten.isEmpty()) {
      throw new UnusableLogException(
          "Replica %s should have made contribution %s, and has made %s, of the log '%s'"
              .formatted(
                  member.replica(),
                  member.sequence(),
                  made.stream().map(one -> one.announcement().sequence()).toList(),
                  member.log()));
    }
    if (settings.coordinator().pace().schedule().fragments() > 1) {
      throw new UnusableLogException(
          ("All that replica %s learned for contribution %s is forgotten, and the model was exchanged"
                  + " in fragments, whose turns would change. Begin at a state behind it, or train"
                  + " a new model")
              .formatted(member.replica(), member.sequence()));
    }
  }

  /** Sets who isn't in the round, which decides how far the round goes. */
  private void tellAway(Away away) {
    away.idle().stream().forEach(coordinator::idle);
    away.done().stream()
        .forEach(replica -> coordinator.farewell(new Farewell(replica, new Ledger())));
    coordinator.expire();
  }

  private void combine(Decision decision) {
    GlobalBlock block = blocks.get(decision.block());
    block.add(decision);
    if (block.advance(combiner) == null) {
      throw new UnusableLogException(
          "Block %s lacks contributions of replicas %s to round %s"
              .formatted(decision.block(), block.lacks(), decision.round()));
    }
    // A log has a round's blocks even where nothing is left of it.
    rounds.add(decision.round(), block.told(combiner));
  }

  /** Adds the head of the newest round, by the number that the log has for it. */
  private void addHead(long number) {
    int localSteps =
        settings
            .coordinator()
            .pace()
            .schedule()
            .localSteps(coordinator.version().round(), RoundCost.UNKNOWN);
    List<Standing> standings =
        IntStream.range(0, chain.mostReplicas()).mapToObj(coordinator::standing).toList();
    rounds.add(number, new RecentRounds.Head(coordinator.head(localSteps, false), standings));
  }

  /**
   * Does what was done behind the newest round of a savepoint, see {@link Tail}.
   *
   * @throws UnusableLogException if a job couldn't go on from that
   */
  void finish() {
    attempt.wake(coordinator.version().round(), waits());
    Map<Integer, String> without = new HashMap<>();
    for (Contributed member : tail.underWay()) {
      long before = leftOut.getOrDefault(member.replica(), 0L);
      // A replica may have several.
      contribute(List.of(member));
      if (leftOut.getOrDefault(member.replica(), 0L) > before) {
        without.merge(member.replica(), member.log(), (one, next) -> one + " " + next);
      }
    }
    for (var replica : tail.pending().entrySet()) {
      int number = replica.getKey();
      RebuiltReplica.Made made =
          lanes.on(number, () -> attempt.replicas().get(number).play(replica.getValue()));
      made.refusals().forEach(coordinator::refuse);
      if (!made.contributions().isEmpty()) {
        throw new UnusableLogException(
            ("For what is forgotten replica %s had refused what it had learned right before this"
                    + " savepoint. Let the job go on for a round, and take another one")
                .formatted(number));
      }
      told.put(number, (without.getOrDefault(number, "") + " " + replica.getValue()).strip());
    }
    tail.done().stream()
        .forEach(number -> coordinator.farewell(new Farewell(number, new Ledger())));
  }

  /**
   * Counts what was made as of another generation, so that no version has two meanings.
   *
   * @param generation greater than any in the log
   */
  void begin(long generation) {
    coordinator.begin(generation);
  }

  /**
   * Writes a savepoint beside one, with what was made in the place of what that has.
   *
   * @param saved to which the chain leads, and what is behind it
   * @param name of its file of metadata
   * @return its path
   */
  String write(SavedTraining saved, String name) throws IOException {
    CoordinatorState theirs = CoordinatorState.read(saved.coordinator());
    // What they know of stopping early comes of records that are forgotten, too.
    CoordinatorState ours = state.of(theirs.model());
    Map<Integer, SubtaskStrings> replicas = new HashMap<>();
    for (var replica : saved.replicas().entrySet()) {
      int number = replica.getKey();
      List<byte[]> waiting = replica.getValue().list(ReplicaOperator.EXAMPLES_STATE);
      if (told.containsKey(number)) {
        replicas.put(number, attempt.replicas().get(number).save(told.get(number), waiting));
      }
    }
    return saved.write(
        ours.toBytes(false), blocks, replicas, PublisherOperator.WRITER_STATES, name);
  }

  /** Returns the version of the newest round. */
  ModelVersion version() {
    return coordinator.version();
  }

  /** Returns the model of the newest round, as the job would publish it. */
  public GlobalModel model() {
    PublicationTrigger trigger = PublicationTrigger.end();
    ModelAssembler assembler =
        new ModelAssembler(settings.replica().spec(), settings.replica().layout());
    Optional<ModelAssembler.Assembled> whole = assembler.add(state.publish(trigger, Set.of()));
    for (GlobalBlock block : blocks) {
      float[] values = block.published(combiner);
      if (values.length > 0) {
        whole =
            assembler.add(
                new PublishedPart.Block(
                    trigger,
                    block.block(),
                    block.round(),
                    combiner.averaging().published(),
                    values));
      }
    }
    return whole.orElseThrow().model();
  }

  @Override
  public void close() {
    lanes.close();
    if (attempt != null) {
      attempt.close();
    }
    examples.forEach(LoggedExamples::close);
  }
}
