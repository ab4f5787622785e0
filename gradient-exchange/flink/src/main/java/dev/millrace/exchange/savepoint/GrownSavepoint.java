package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.flink.block.ExchangeOperator;
import dev.millrace.exchange.flink.coordinator.CoordinatorSettings;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.flink.coordinator.SavedModel;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.grow.ExchangeGrowth;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.GrownReplica;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.Decision;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.grow.GrownModel;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.InvalidModelException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Makes of a savepoint one of a larger model, from which a job goes on as from any: records, rounds
 * and versions follow. Contributions under way are taken into the model first. Replayed examples,
 * an older model, drift detectors and segments begin anew.
 */
public final class GrownSavepoint {

  private final SavedStates states;
  private final SavedOperators operators;
  private final SavedTraining training;
  private final CoordinatorSettings settings;
  private final Function<BlockLayout, Combiner> combiners;

  /**
   * Reads from a savepoint.
   *
   * @param settings of the job that is to go on with the larger model
   * @param combiners of the job, for a layout
   */
  public GrownSavepoint(
      SavedStates states,
      SavedOperators operators,
      CoordinatorSettings settings,
      Function<BlockLayout, Combiner> combiners) {
    this.states = states;
    this.operators = operators;
    this.training = new SavedTraining(states, operators);
    this.settings = settings;
    this.combiners = combiners;
  }

  /** Returns the model that the savepoint is of. */
  public SavedModel model() throws IOException {
    return training.head().model();
  }

  /** Returns the version of that. */
  public ModelVersion version() throws IOException {
    return training.head().version();
  }

  /**
   * Writes the larger one.
   *
   * @param places of what the model knows
   * @param fresh values of the job's model when it is new
   * @param grown what descriptions say of it
   * @param name of the file in the savepoint's directory
   * @return its path, from which the job goes on
   * @throws InvalidModelException if the model can't grow, saying why and what to do
   */
  public String write(Places places, float[] fresh, Lineage.Grown grown, String name)
      throws IOException {
    requireWhole();
    CoordinatorState state = CoordinatorState.readFor(settings, training.coordinator());
    SavedModel old = state.model();
    SavedModel model = settings.start().model();
    BlockLayout layout = old.layout();
    if (layout.hasUpdaterState() != model.layout().hasUpdaterState()) {
      throw new InvalidModelException(
          "The model can't grow while the updater's state begins or ceases to be averaged; change"
              + " that before or after");
    }
    List<GlobalBlock> blocks = training.blocks();
    finishRounds(state.coordinator(), blocks, combiners.apply(layout));
    long round = state.coordinator().version().round();
    SavedBlocks values = together(blocks, layout, round, false);
    ExchangeGrowth growth =
        new ExchangeGrowth(
            GrownModel.growth(
                ModelEngine.named(model.spec().engine()), old.spec(), model.spec(), places),
            places,
            layout,
            model.spec(),
            model.layout());
    RewrittenSavepoint rewritten = new RewrittenSavepoint(states);
    rewritten.blocks(
        operators.exchange(),
        ExchangeOperator.STATE,
        grown(blocks, values, averageOrNull(blocks, layout, round), growth, fresh));
    state.coordinator().grow(places);
    CoordinatorState larger = state.of(model.grown(old.lineage(), grown));
    rewritten.change(
        operators.coordinator(),
        CoordinatorState.NAME::equals,
        (subtask, one) -> one.with(CoordinatorState.NAME, List.of(larger.toBytes(false))));
    GrownReplica replica = new GrownReplica(growth, values.vector());
    rewritten.change(
        operators.replica(),
        List.of(ReplicaOperator.REPLICA_STATE, ReplicaOperator.EXAMPLES_STATE)::contains,
        (subtask, one) -> replica(one, replica, places));
    rewritten.change(
        operators.publisher(), operators.publisherStates()::contains, (subtask, kept) -> kept);
    return rewritten.write(name);
  }

  private void requireWhole() {
    if (states.has(operators.gatherer()) || settings.gathers()) {
      throw new InvalidModelException(
          "A model whose contributions are combined by process can't grow from a savepoint. Train on"
              + " without that and take another one, or start from its export");
    }
  }

  /** Nobody is left to wait for: contributions of the smaller model are taken as they are. */
  private void finishRounds(Coordinator coordinator, List<GlobalBlock> blocks, Combiner combiner) {
    int unused = coordinator.expire();
    while (coordinator.hasAnnouncements()) {
      ClosedRound closed = coordinator.close(settings.pace().whole());
      if (!closed.members().stream().allMatch(member -> member.fragment().isWhole())) {
        throw new InvalidModelException(
            "A model whose parts are contributed in turn can't grow from a savepoint. Train on without"
                + " that and take another one, or start from its export");
      }
      for (Decision decision : closed.decisions(blocks.size(), false)) {
        blocks.get(decision.block()).add(decision);
      }
    }
    for (GlobalBlock block : blocks) {
      Decision made = block.advance(combiner);
      while (made != null) {
        made = block.advance(combiner);
      }
    }
  }

  /** Puts the blocks' values together, and checks that all are of the coordinator's round. */
  private SavedBlocks together(
      List<GlobalBlock> blocks, BlockLayout layout, long round, boolean average)
      throws IOException {
    SavedBlocks all =
        new SavedBlocks(states.path(), layout, round, average, (count, ofBlocks, bytes) -> {});
    for (GlobalBlock block : blocks) {
      byte[] bytes = SavedTraining.bytes(block);
      all.add(new DataInputStream(new ByteArrayInputStream(bytes)), bytes.length);
    }
    return all;
  }

  private float[] averageOrNull(List<GlobalBlock> blocks, BlockLayout layout, long round)
      throws IOException {
    return blocks.get(0).average().length == 0
        ? null
        : together(blocks, layout, round, true).vector();
  }

  private List<byte[]> grown(
      List<GlobalBlock> blocks,
      SavedBlocks values,
      float[] averageOrNull,
      ExchangeGrowth growth,
      float[] fresh)
      throws IOException {
    float[] vector = growth.begin(values.vector(), fresh);
    float[] average = averageOrNull == null ? null : growth.begin(averageOrNull, fresh);
    ServerOptimizerState optimizer = growth.growth().apply(values.serverOptimizer());
    BlockLayout layout = growth.to();
    Combiner combiner = combiners.apply(layout);
    List<byte[]> all = new ArrayList<>();
    for (int b = 0; b < layout.count(); b++) {
      boolean averaged = average != null && layout.parameters(b) > 0;
      all.add(
          SavedTraining.bytes(
              GlobalBlock.grown(
                  b,
                  blocks.get(0),
                  growth.block(vector, b),
                  averaged ? growth.block(average, b) : null,
                  optimizer.part(layout.offset(b), layout.parameters(b)),
                  combiner)));
    }
    return all;
  }

  private static SubtaskStrings replica(SubtaskStrings saved, GrownReplica replica, Places places)
      throws IOException {
    List<byte[]> replicas = new ArrayList<>();
    for (byte[] one : saved.list(ReplicaOperator.REPLICA_STATE)) {
      replicas.add(replica.of(new DataInputStream(new ByteArrayInputStream(one))));
    }
    List<byte[]> examples = new ArrayList<>();
    for (byte[] minibatch : saved.list(ReplicaOperator.EXAMPLES_STATE)) {
      examples.add(MinibatchWindow.grown(minibatch, places));
    }
    return saved
        .with(ReplicaOperator.REPLICA_STATE, replicas)
        .with(ReplicaOperator.EXAMPLES_STATE, examples);
  }
}
