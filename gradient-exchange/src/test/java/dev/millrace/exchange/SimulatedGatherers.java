package dev.millrace.exchange;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.feedback.ReplicaProcesses;
import dev.millrace.exchange.gather.GatherPlan;
import dev.millrace.exchange.gather.GatheredPlaces;
import dev.millrace.exchange.gather.Gatherer;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.BlockLayout;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The gatherers of a {@link Simulation}, one a replica, and the processes that replicas are in; or
 * none.
 */
final class SimulatedGatherers {

  /** In which process a replica is. */
  @FunctionalInterface
  interface Places {

    /** {@code attempt} counts the starts of the job, from 0. */
    int process(int attempt, int replica);
  }

  private final BlockLayout layout;
  private final Aggregator aggregator;
  private final Places places;
  private final SimulatedBlocks blocks;
  private final List<Gatherer> gatherers = new ArrayList<>();
  private final BitSet greeted = new BitSet();
  private SimulatedChannels channels;
  private ReplicaProcesses processes;
  private GatherPlan plan;
  private GatheredPlaces savedPlaces = GatheredPlaces.NONE;
  private int attempt = -1;

  /** {@code places} is null for none. */
  SimulatedGatherers(
      BlockLayout layout, Aggregator aggregator, Places places, SimulatedBlocks blocks) {
    this.layout = layout;
    this.aggregator = aggregator;
    this.places = places;
    this.blocks = blocks;
  }

  /** Whether contributions go to gatherers, and not to the blocks themselves. */
  boolean exist() {
    return places != null;
  }

  /**
   * Starts as many as there are replicas.
   *
   * @param saved what each held before: dealt as Flink does, each its own if their number is the
   *     same
   */
  void start(
      int count, List<List<byte[]>> saved, List<ContributionId> restored, SimulatedChannels by) {
    attempt++;
    channels = by;
    processes = new ReplicaProcesses(true);
    plan = new GatherPlan(restored, saved.isEmpty() ? GatheredPlaces.NONE : savedPlaces);
    gatherers.clear();
    greeted.clear();
    List<byte[]> all = saved.stream().flatMap(List::stream).toList();
    for (int number = 0; exist() && number < count; number++) {
      int self = number;
      Gatherer gatherer = new Gatherer(layout, aggregator, part -> toBlock(self, part));
      gatherers.add(gatherer);
      List<DataInputStream> mine =
          saved.size() == count
              ? SimulatedCheckpoint.dealt(saved.get(number), 0, 1)
              : SimulatedCheckpoint.dealt(all, number, count);
      for (DataInputStream contribution : mine) {
        try {
          gatherer.restore(contribution);
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private void toBlock(int gatherer, Part part) {
    channels.fromGatherer(gatherer, part.block(), () -> blocks.take(part));
  }

  String home(int replica) {
    return !exist()
        ? "here/" + replica
        : "process %s/%s".formatted(places.process(attempt, replica), replica);
  }

  void hello(Hello hello) {
    processes.hello(hello);
    greeted.set(hello.replica());
  }

  /** Whether it is still open who gathers. */
  boolean await(Coordinator coordinator) {
    return exist() && coordinator.awaitsReplicas();
  }

  /** Whether a replica has said hello. */
  boolean know(int replica) {
    return !exist() || greeted.get(replica);
  }

  /** Replicas are told: who gathers is open no more. */
  void tell(RoundHead head, IntFunction<Standing> standings) {
    processes.tell(head, standings, delivery -> {});
  }

  void send(Contribution contribution) {
    Gatherer gatherer = gatherers.get(processes.gatherer(contribution.replica()));
    channels.toGatherer(contribution.replica(), () -> gatherer.add(contribution));
  }

  void decided(ClosedRound round) {
    if (!exist()) {
      return;
    }
    plan.orders(round, processes::gatherer, processes.replicas())
        .forEach(
            order ->
                channels.fromCoordinatorToGatherer(
                    order.gatherer(), () -> gatherers.get(order.gatherer()).add(order)));
  }

  /** What waits in each; {@code underWay} is all of it. */
  List<List<byte[]>> save(List<ContributionId> underWay) throws IOException {
    if (exist()) {
      savedPlaces = plan.places(underWay, processes::gatherer, processes.replicas());
    }
    List<List<byte[]>> all = new ArrayList<>();
    for (Gatherer gatherer : gatherers) {
      List<byte[]> saved = new ArrayList<>();
      for (Gatherer.Saved contribution : gatherer.save()) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        contribution.write(new DataOutputStream(bytes));
        saved.add(bytes.toByteArray());
      }
      all.add(saved);
    }
    return all;
  }
}
