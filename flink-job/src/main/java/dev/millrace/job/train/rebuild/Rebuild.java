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
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.exchange.savepoint.SubtaskStrings;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.job.train.TrainingSettings;
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
  private RecentRounds rounds = new RecentRounds();
  private Attempt attempt;

  /** How many entries were followed. */
  private int place;

  /** The job's rounds that weren't made, since nothing was left to learn in them. */
  private long unmade;

  /** Contributions that weren't made for the same reason, by replica. */
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
    for (var replica : saved.replicas().entrySet()) {
      attempt.replicas().get(replica.getKey()).begin(SavedLearner.of(replica.getValue()));
    }
    greet(chain.replicas());
    tellAll();
  }

  private Attempt attempt(long generation, int count) {
    return new Attempt(
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

  /** Tells all there is: behind this the log has the numbers that rounds have here. */
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
    attempt.replicas().forEach(replica -> replica.begin(settings.initial()));
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
    unmade = 0;
    leftOut.clear();
    // Replicas of attempts before may yet ask for rounds by the numbers that they had.
    rounds = new RecentRounds();
    tellAll();
  }

  private void make(Round round) {
    attempt.wake(coordinator.version().round(), waits());
    contribute(round.members());
    long number = round.version().round();
    if (coordinator.hasAnnouncements()) {
      tellAway(round.away());
      ClosedRound closed = coordinator.close(settings.coordinator().pace().whole());
      requireVersion(new ModelVersion(round.version().generation(), number - unmade));
      closed.decisions(blocks.size(), false).forEach(decision -> combine(decision, number));
    } else {
      unmade++;
      blocks.forEach(block -> rounds.add(number, block.told(combiner)));
    }
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
    if (made.announcement().isEmpty() && !forgotten.isEmpty()) {
      leftOut.merge(member.replica(), 1L, Long::sum);
      return;
    }
    Announcement announcement =
        made.announcement()
            .filter(one -> one.sequence() == sequence)
            .orElseThrow(() -> madeAnother(member, made));
    coordinator.announce(announcement.retold(member.log()), member.generation());
    made.contributions().forEach(one -> blocks.get(one.block()).add(one));
  }

  private static UnusableLogException madeAnother(Contributed member, RebuiltReplica.Made made) {
    return new UnusableLogException(
        "Replica %s should have made contribution %s, and has made %s, of the log '%s'"
            .formatted(
                member.replica(),
                member.sequence(),
                made.announcement().map(one -> Long.toString(one.sequence())).orElse("none"),
                member.log()));
  }

  /** Sets who isn't in the round, which decides how far the round goes. */
  private void tellAway(Away away) {
    away.idle().stream().forEach(coordinator::idle);
    away.done().stream()
        .forEach(replica -> coordinator.farewell(new Farewell(replica, new Ledger())));
    coordinator.expire();
  }

  private void combine(Decision decision, long number) {
    GlobalBlock block = blocks.get(decision.block());
    block.add(decision);
    if (block.advance(combiner) == null) {
      throw new UnusableLogException(
          "Block %s lacks contributions of replicas %s to round %s"
              .formatted(decision.block(), block.lacks(), decision.round()));
    }
    if (decision.isOfMembers()) {
      rounds.add(number, block.told(combiner));
    }
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

  /** Does what was done behind the newest round of a savepoint, see {@link Tail}. */
  void finish() {
    attempt.wake(coordinator.version().round(), waits());
    // A replica may have several.
    tail.underWay().forEach(one -> contribute(List.of(one)));
    tail.pending()
        .forEach(
            (number, log) ->
                attempt.replicas().get(number).play(log).refusals().forEach(coordinator::refuse));
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
    CoordinatorState ours =
        new CoordinatorState(theirs.model(), coordinator, theirs.earlyStop(), theirs.refusals());
    Map<Integer, SubtaskStrings> replicas = new HashMap<>();
    for (var replica : saved.replicas().entrySet()) {
      SubtaskStrings strings = replica.getValue();
      replicas.put(
          replica.getKey(),
          attempt
              .replicas()
              .get(replica.getKey())
              .save(
                  tail.pending().get(replica.getKey()),
                  strings.list(ReplicaOperator.EXAMPLES_STATE)));
    }
    return saved.write(ours.toBytes(false), blocks, replicas, name);
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
    if (attempt != null) {
      attempt.close();
    }
    lanes.close();
    examples.forEach(LoggedExamples::close);
  }
}
