package dev.millrace.exchange.scale;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.FeedbackReceivers;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.feedback.ReplicaProcesses;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.gather.GatherPlan;
import dev.millrace.exchange.gather.GatheredPlaces;
import dev.millrace.exchange.gather.Gatherer;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.EarlyStop;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.RoundMaker;
import dev.millrace.exchange.round.RoundWait;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A job of many replicas without Flink: real replicas, coordinator and blocks, and messages that
 * are counted on their way. All arrive at once.
 */
final class ScaledJob {

  private static final int VALUES_PER_BLOCK = 4;

  final Traffic traffic = new Traffic();

  private final InitialModel initial;
  private final BlockLayout layout;
  private final Combiner combiner;
  private final List<GlobalBlock> blocks = new ArrayList<>();
  private final List<Replica> replicas = new ArrayList<>();
  private final Map<String, Replica> byHome = new HashMap<>();
  private final FeedbackReceivers receivers = new FeedbackReceivers(home -> null, this::deliver);
  private final boolean gathers;
  private final ReplicaProcesses processes;
  private final GatherPlan plan = new GatherPlan(List.of(), GatheredPlaces.NONE);
  private final Map<Integer, Gatherer> gatherers = new HashMap<>();
  private final Coordinator coordinator =
      new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 1, 32));
  private final Schedule schedule;
  private final RoundMaker rounds;

  private long offset;
  private long coordinatorNanos;

  /** A job whose contributions go to the blocks themselves. */
  ScaledJob(int count, int perProcess, int blockCount) {
    this(count, perProcess, blockCount, false);
  }

  /**
   * A job whose replicas have said hello and know the model.
   *
   * @param perProcess replicas in each process
   * @param gathers whether the contributions of a process are combined in it
   */
  ScaledJob(int count, int perProcess, int blockCount, boolean gathers) {
    this(count, perProcess, blockCount, gathers, 1);
  }

  /** One whose model is exchanged in so many parts. */
  static ScaledJob inFragments(int count, int perProcess, int blockCount, int fragments) {
    return new ScaledJob(count, perProcess, blockCount, false, fragments);
  }

  private ScaledJob(int count, int perProcess, int blockCount, boolean gathers, int fragments) {
    this.gathers = gathers;
    processes = new ReplicaProcesses(gathers);
    schedule = Schedule.every(fragments, true).inFragments(fragments);
    rounds =
        new RoundMaker(
            coordinator,
            new EarlyStop(StopRules.NONE),
            schedule,
            new RoundWait(Duration.ofSeconds(5), 0),
            WholeRound.OF_THOSE_THAT_TRAIN,
            0);
    initial = SummingEngine.initial(blockCount * VALUES_PER_BLOCK);
    layout = initial.spec().layout(VALUES_PER_BLOCK, true);
    combiner = new Combiner(layout, Aggregator.weightedMean(), ServerOptimizer.none(1));
    for (int block = 0; block < layout.count(); block++) {
      blocks.add(new GlobalBlock(block));
    }
    String process = "";
    for (int index = 0; index < count; index++) {
      process = index % perProcess == 0 ? UUID.randomUUID().toString() : process;
      start(index, count, process + "/" + UUID.randomUUID());
    }
    if (gathers) {
      processes.tell(rounds.head(), coordinator::standing, this::deliver);
    }
  }

  private void start(int index, int count, String home) {
    Replica replica =
        new Replica(
            index,
            ModelEngine.named(SummingEngine.NAME).build(initial.spec(), DeviceRequest.any()),
            layout,
            new ReplicaRules(
                schedule,
                ContributionCodecs.EXACT,
                false,
                false,
                new ContributionGuard(Double.POSITIVE_INFINITY)),
            new JobShare(count, 32, RateFactors.NONE),
            ReplicaHooks.NONE,
            System::nanoTime);
    replica.begin(initial);
    replicas.add(replica);
    byHome.put(home, replica);
    Hello hello = new Hello(index, count, home);
    traffic.sent(Traffic.Kind.HELLO, CoordinatorMessage.WIRE, hello, 0);
    coordinator.hello(hello);
    processes.hello(hello);
    if (!gathers) {
      deliver(processes.delivery(hello, rounds.head(), coordinator::standing));
    }
    for (int block = 0; block < layout.count(); block++) {
      Pull pull =
          index == 0
              ? replica.offer(block, initial.serverOptimizer(), home)
              : replica.pull(block, home);
      traffic.sent(
          Traffic.Kind.PULL, BlockMessage.WIRE, pull, (long) pull.initial().length * Float.BYTES);
      blocks.get(block).initialize(pull.initial(), pull.serverOptimizer(), combiner);
      receivers.ask(pull);
      receivers.answer(blocks.get(block), combiner);
    }
  }

  /** Every replica learns one example and contributes; the round is made, and told to all. */
  void round() {
    for (Replica replica : replicas) {
      replica.learn(example(), (partition, offset, reason) -> {});
      Announcement announcement = (Announcement) replica.contribute(this::contribute);
      traffic.sent(Traffic.Kind.ANNOUNCEMENT, CoordinatorMessage.WIRE, announcement, 0);
      announce(announcement);
    }
    for (GlobalBlock block : blocks) {
      Decision decision = block.advance(combiner);
      if (decision == null) {
        throw new AssertionError("Block " + block.block() + " lacks contributions");
      }
      if (decision.isOfMembers()) {
        receivers.tell(block, combiner);
      }
    }
  }

  /** What the coordinator does when a replica has contributed. */
  private void announce(Announcement announcement) {
    long start = System.nanoTime();
    rounds.announce(announcement, 0);
    List<HeadDelivery> heads = new ArrayList<>();
    List<GatherOrder> orders = new ArrayList<>();
    if (rounds.isReady()) {
      ClosedRound made = rounds.make(0, 0).round();
      processes.tell(rounds.head(), coordinator::standing, heads::add);
      made.decisions(blocks.size(), false).forEach(this::decide);
      if (gathers) {
        orders = plan.orders(made, processes::gatherer, processes.replicas());
      }
    }
    coordinatorNanos += System.nanoTime() - start;
    heads.forEach(this::deliver);
    orders.forEach(this::order);
  }

  private void decide(Decision decision) {
    traffic.sent(Traffic.Kind.DECISION, Decision.WIRE, decision, 0);
    blocks.get(decision.block()).add(decision);
  }

  private void order(GatherOrder order) {
    traffic.sent(Traffic.Kind.ORDER, GatherOrder.WIRE, order, 0);
    gatherer(order.gatherer()).add(order);
  }

  private Gatherer gatherer(int number) {
    return gatherers.computeIfAbsent(
        number, any -> new Gatherer(layout, Aggregator.weightedMean(), this::sendPart));
  }

  private void sendPart(Part part) {
    traffic.sent(Traffic.Kind.PART, BlockMessage.WIRE, part, part.payload().length());
    blocks.get(part.block()).add(part);
  }

  /** Nanoseconds that the coordinator has worked since this was last asked for. */
  long takeCoordinatorNanos() {
    long taken = coordinatorNanos;
    coordinatorNanos = 0;
    return taken;
  }

  private Minibatch example() {
    Minibatch minibatch = new Minibatch(initial.spec().shape(), 1);
    minibatch.add(new float[1], new float[1], 1, new Partition("topic", 0), offset++);
    return minibatch;
  }

  private void contribute(Contribution contribution) {
    if (gathers) {
      // Within its process.
      gatherer(processes.gatherer(contribution.replica())).add(contribution);
      return;
    }
    long values = contribution.payload().length();
    traffic.sent(Traffic.Kind.CONTRIBUTION, BlockMessage.WIRE, contribution, values);
    blocks.get(contribution.block()).add(contribution);
  }

  private void deliver(HeadDelivery delivery) {
    traffic.sent(Traffic.Kind.HEAD, HeadDelivery.WIRE, delivery, 0);
    delivery
        .standings()
        .forEach((home, standing) -> byHome.get(home).accept(delivery.head(), standing));
  }

  private void deliver(Delivery delivery) {
    traffic.sent(Traffic.Kind.DELIVERY, Delivery.WIRE, delivery, delivery.feedback().bytes());
    BlockUpdate update = (BlockUpdate) delivery.feedback();
    delivery.homes().forEach(home -> byHome.get(home).accept(update));
  }

  /** Whether every replica has heard of the round that it contributed to. */
  boolean allAreReleased() {
    return replicas.stream().allMatch(Replica::isReleased);
  }
}
