package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.publication.ModelAssembler;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
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
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The global model of a job that is followed, with the job's own coordinator and blocks, and what
 * replicas may yet be told of it.
 *
 * <p>Not thread-safe.
 */
final class RebuiltModel {

  private final TrainingSettings settings;

  /** Numbers that are no more may have been told of, too. */
  private final int mostReplicas;

  private final CoordinatorState state;
  private final Coordinator coordinator;
  private final Combiner combiner;
  private final List<GlobalBlock> blocks = new ArrayList<>();

  /** Empty where contributions go to the blocks themselves. */
  private final Optional<RebuiltGathering> gathering;

  private final RecentRounds rounds = new RecentRounds();

  /**
   * @param from a state that it begins as; empty where it has yet to {@linkplain #begin begin}
   * @param mostReplicas how many there are at most at a time
   */
  RebuiltModel(TrainingSettings settings, Optional<SavedTraining> from, int mostReplicas)
      throws IOException {
    this.settings = settings;
    this.mostReplicas = mostReplicas;
    List<byte[]> saved = new ArrayList<>();
    if (from.isPresent()) {
      saved.add(from.get().coordinator());
      blocks.addAll(from.get().blocks());
    }
    this.gathering =
        settings.coordinator().gathers()
            ? Optional.of(
                RebuiltGathering.begin(settings, from, part -> blocks.get(part.block()).add(part)))
            : Optional.empty();
    this.state = CoordinatorState.open(settings.coordinator(), saved);
    this.coordinator = state.coordinator();
    this.combiner =
        new Combiner(
            settings.replica().layout(),
            settings.aggregator(),
            settings.serverOptimizer(),
            settings.feedback(),
            settings.averaging());
  }

  /** Whether it has yet to begin. */
  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Begins with a replica's values, as the first one of a job offers them. */
  void begin(ModelReplica first) {
    BlockLayout layout = settings.replica().layout();
    for (int number = 0; number < layout.count(); number++) {
      float[] values = new float[layout.size(number)];
      first.read(layout.offset(number), values, 0, values.length);
      GlobalBlock block = new GlobalBlock(number);
      block.initialize(values, settings.initial().serverOptimizer(), combiner);
      blocks.add(block);
    }
  }

  /** Counts what follows as of a generation. */
  void begin(long generation) {
    coordinator.begin(generation);
  }

  /** Takes in that so many replicas begin, and has all there is ready for them. */
  void greet(int replicas) {
    for (int number = 0; number < replicas; number++) {
      coordinator.hello(new Hello(number, replicas, ""));
    }
    for (GlobalBlock block : blocks) {
      BlockUpdate update = block.told(combiner);
      rounds.add(update.round(), update);
    }
    addHead();
  }

  /** Returns what replicas may yet be told, live. */
  RecentRounds rounds() {
    return rounds;
  }

  /** Returns the version of the newest round. */
  ModelVersion version() {
    return coordinator.version();
  }

  /** Checks the version of the newest round. */
  void requireVersion(ModelVersion wanted) {
    if (!version().equals(wanted)) {
      throw new UnusableLogException("Version %s is made as %s".formatted(wanted, version()));
    }
  }

  /** Returns contributions that have yet to be in a round. */
  List<Contributed> underWay() {
    return coordinator.loggedUnderWay();
  }

  /** Returns the records that it has, and those of contributions that have yet to be in a round. */
  Ledger records() {
    Ledger records = coordinator.totals().ledger().copy();
    records.merge(coordinator.recordsUnderWay());
    return records;
  }

  void refuse(Refusal refusal) {
    coordinator.refuse(refusal);
  }

  /**
   * Takes a contribution, which has yet to be in a round.
   *
   * @param generation in which it was announced
   * @param log what was done for it
   */
  void announce(MadeOne made, long generation, String log) {
    coordinator.announce(made.announcement().retold(log), generation);
    made.contributions().forEach(this::take);
  }

  private void take(Contribution part) {
    if (gathering.isPresent()) {
      gathering.get().add(part);
    } else {
      blocks.get(part.block()).add(part);
    }
  }

  /** Takes in that the input of replicas has ended. */
  void done(BitSet replicas) {
    replicas.stream().forEach(replica -> coordinator.farewell(new Farewell(replica, new Ledger())));
  }

  /** Makes a round of all that has been announced; one that changes nothing where nothing has. */
  void close(Round round) {
    ClosedRound closed = closed(round);
    requireVersion(round.version());
    gathering.ifPresent(gatherer -> gatherer.combine(closed, round.together()));
    closed.decisions(blocks.size(), false).forEach(this::combine);
    addHead();
  }

  private ClosedRound closed(Round round) {
    if (!coordinator.hasAnnouncements()) {
      return coordinator.pass();
    }
    tellAway(round.away());
    return coordinator.close(settings.coordinator().pace().whole());
  }

  /** Sets who isn't in the round, which decides how far the round goes. */
  private void tellAway(Away away) {
    away.idle().stream().forEach(coordinator::idle);
    done(away.done());
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
  GlobalModel model() {
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

  /**
   * Writes a savepoint beside one, with this model in the place of what that has. What it knew of
   * stopping early goes, since that came of other models.
   *
   * @param replicas see {@link SavedTraining#write}
   * @param name of its file of metadata
   * @return its path
   */
  String write(SavedTraining saved, Map<Integer, SubtaskStrings> replicas, String name)
      throws IOException {
    CoordinatorState theirs = CoordinatorState.read(saved.coordinator());
    return saved.write(
        state.of(theirs.model()).toBytes(false),
        blocks,
        replicas,
        PublisherOperator.WRITER_STATES,
        name);
  }
}
