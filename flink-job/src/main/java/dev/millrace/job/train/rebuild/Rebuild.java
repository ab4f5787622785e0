package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.LogEntry.Start;
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
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.ServerOptimizerState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A job's training, done again round by round in one thread, from the model that the job began
 * with. It has the job's own objects, so each round's model is the same, bit by bit.
 *
 * <p>Not thread-safe.
 */
public final class Rebuild implements AutoCloseable {

  private final TrainingSettings settings;
  private final Start start;
  private final LoggedExamples examples;

  /** The most of any attempt: numbers that are no more may have been told of, too. */
  private final int mostReplicas;

  private final CoordinatorState state;
  private final Coordinator coordinator;
  private final Combiner combiner;
  private final List<GlobalBlock> blocks = new ArrayList<>();
  private final RecentRounds rounds = new RecentRounds();
  private final AskedRounds asked;
  private Attempt attempt;

  /**
   * Begins with the model that the job began with.
   *
   * @param settings of the job
   * @param chain what is to be done
   * @throws UnusableLogException if the chain doesn't begin with the start of the job
   */
  public Rebuild(TrainingSettings settings, LogChain chain, LoggedExamples examples)
      throws IOException {
    this.settings = settings;
    this.start = chain.start();
    this.examples = examples;
    this.mostReplicas = chain.mostReplicas();
    this.state = CoordinatorState.open(settings.coordinator(), List.of());
    this.coordinator = state.coordinator();
    BlockLayout layout = settings.replica().layout();
    this.asked = AskedRounds.of(chain.entries(), layout.count());
    this.combiner =
        new Combiner(
            layout,
            settings.aggregator(),
            settings.serverOptimizer(),
            settings.feedback(),
            settings.averaging());
  }

  private GlobalBlock first(int number, BlockLayout layout) {
    float[] values = new float[layout.size(number)];
    attempt.replicas().get(0).model().read(layout.offset(number), values, 0, values.length);
    GlobalBlock block = new GlobalBlock(number);
    ServerOptimizerState optimizer = settings.initial().serverOptimizer();
    block.initialize(values, optimizer, combiner);
    rounds.add(block.told(combiner));
    return block;
  }

  /**
   * Does the next thing that the log says.
   *
   * @throws UnusableLogException if it can't be done, or isn't what the log says
   */
  public void make(LogEntry entry) {
    if (entry instanceof Start start) {
      begin(start);
    } else if (entry instanceof Round round) {
      make(round);
    }
  }

  private void begin(Start next) {
    if (next.readers() != start.readers()) {
      throw new UnusableLogException(
          ("From version %s on %s replicas could have something to read, and %s before: topics got"
                  + " other partitions")
              .formatted(next.version(), next.readers(), start.readers()));
    }
    attempt =
        new Attempt(
            attempt,
            next.version().generation(),
            next.replicas(),
            (of, number) ->
                new RebuiltReplica(
                    settings.replica(), of, number, next.replicas(), rounds, examples));
    if (blocks.isEmpty()) {
      beginAnew();
    }
    coordinator.begin(next.version().generation());
    for (int number = 0; number < next.replicas(); number++) {
      coordinator.hello(new Hello(number, next.replicas(), ""));
    }
    addHead();
  }

  private void beginAnew() {
    attempt.replicas().forEach(replica -> replica.begin(settings.initial()));
    BlockLayout layout = settings.replica().layout();
    for (int block = 0; block < layout.count(); block++) {
      blocks.add(first(block, layout));
    }
  }

  private void make(Round round) {
    List<RebuiltReplica.Made> made = new ArrayList<>();
    for (Contributed member : round.members()) {
      RebuiltReplica replica = attempt.replica(member.replica(), member.generation());
      made.add(replica.contribution(member.sequence(), member.log()));
    }
    made.stream().flatMap(one -> one.refusals().stream()).forEach(coordinator::refuse);
    made.forEach(one -> coordinator.announce(one.announcement()));
    tellAway(round.away());
    ClosedRound closed = coordinator.close(settings.coordinator().pace().whole());
    if (!coordinator.version().equals(round.version())) {
      throw new UnusableLogException(
          "Round %s is made as %s".formatted(round.version(), coordinator.version()));
    }
    List<Contribution> contributions =
        made.stream().flatMap(one -> one.contributions().stream()).toList();
    contributions.forEach(one -> blocks.get(one.block()).add(one));
    closed.decisions(blocks.size(), false).forEach(this::combine);
    addHead();
    attempt.prune();
    rounds.keep(number -> asked.isAskedAfter(round.version().round(), number));
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
    if (decision.isOfMembers()) {
      rounds.add(block.told(combiner));
    }
  }

  private void addHead() {
    int localSteps =
        settings
            .coordinator()
            .pace()
            .schedule()
            .localSteps(coordinator.version().round(), RoundCost.UNKNOWN);
    List<Standing> standings =
        IntStream.range(0, mostReplicas).mapToObj(coordinator::standing).toList();
    rounds.add(new RecentRounds.Head(coordinator.head(localSteps, false), standings));
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
  }
}
