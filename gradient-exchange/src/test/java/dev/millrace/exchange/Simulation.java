package dev.millrace.exchange;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.testing.SummingEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The whole protocol without Flink: replicas, coordinator and blocks with a channel between each
 * two, and a seeded die that picks the next message to deliver or replica to train. Channels keep
 * order; between channels anything can overtake anything. Feedback is lost in a failure, as in the
 * job.
 */
final class Simulation {

  static final int PARAMETERS = 7;
  static final int BLOCK_SIZE = 3;

  /** Examples that a step of the whole job takes. */
  static final int OF_STEP = 7;

  private static final int BATCH = 4;

  /** Far more than any run takes. */
  private static final int MOST_EVENTS = 500_000;

  private final long seed;
  private final Random die;
  private Schedule schedule;
  private final SimulatedInput input;
  private final InitialModel initial;
  private final BlockLayout layout;
  private final Codec codec;
  private double decay = 1;
  private final Aggregator aggregator;
  private final SimulatedBlocks blocks;
  private final SimulatedGatherers gatherers;

  private final SimulatedHooks hooks = new SimulatedHooks();
  private CoordinatorHookFactory steering = NoSteering.NONE;
  private boolean inStep;

  private final List<Replica> replicas = new ArrayList<>();
  private final List<Boolean> ended = new ArrayList<>();
  private boolean punctual;
  private boolean pauses;
  private boolean sensitive;
  private Coordinator coordinator;
  private SimulatedChannels channels;
  private SimulatedCheckpoint checkpoint;

  Simulation(
      long seed, int replicas, Schedule schedule, Aggregator aggregator, long recordsPerPartition) {
    this(seed, replicas, schedule, aggregator, new SimulatedInput(recordsPerPartition));
  }

  Simulation(
      long seed, int replicas, Schedule schedule, Aggregator aggregator, SimulatedInput input) {
    this(seed, replicas, schedule, Codec.float32(), aggregator, null, Averaging.NONE, null, input);
  }

  /**
   * {@code feedbackCodec} is null where blocks go back whole, {@code places} where contributions
   * aren't gathered.
   */
  Simulation(
      long seed,
      int replicas,
      Schedule schedule,
      Codec codec,
      Aggregator aggregator,
      Codec feedbackCodec,
      Averaging averaging,
      SimulatedGatherers.Places places,
      long recordsPerPartition) {
    this(
        seed,
        replicas,
        schedule,
        codec,
        aggregator,
        feedbackCodec,
        averaging,
        places,
        new SimulatedInput(recordsPerPartition));
  }

  private Simulation(
      long seed,
      int replicas,
      Schedule schedule,
      Codec codec,
      Aggregator aggregator,
      Codec feedbackCodec,
      Averaging averaging,
      SimulatedGatherers.Places places,
      SimulatedInput input) {
    this.initial =
        new InitialModel(
            SummingEngine.spec(input.shape(), PARAMETERS), new float[PARAMETERS], 0, null);
    this.layout = initial.spec().layout(BLOCK_SIZE, true);
    this.seed = seed;
    this.die = new Random(seed);
    this.schedule = schedule;
    this.input = input;
    this.codec = codec;
    this.aggregator = aggregator;
    this.blocks =
        new SimulatedBlocks(
            layout,
            new Combiner(
                layout,
                aggregator,
                ServerOptimizer.none(1),
                new FeedbackCodecs(feedbackCodec, feedbackCodec),
                averaging),
            feedbackCodec);
    this.gatherers = new SimulatedGatherers(layout, aggregator, places, blocks);
    begin(replicas);
  }

  private void begin(int count) {
    coordinator =
        new Coordinator(
            ModelTotals.open(
                LearnedFeatures.none(input.shape(), input.hasFields()), 0, 100, OF_STEP),
            steering.hook());
    startReplicas(count, List.of(), List.of());
  }

  /** Training is steered from the beginning on. */
  Simulation steered(CoordinatorHookFactory by) {
    steering = by;
    begin(replicas.size());
    return this;
  }

  /**
   * Nobody is ever late, and no checkpoint is taken once a replica has ended: so there is but one
   * course of training under {@code sync}.
   */
  Simulation inStep() {
    inStep = true;
    return this;
  }

  /** No round is made without a replica that it waits for. */
  Simulation punctual() {
    punctual = true;
    return this;
  }

  /** Replicas have no examples now and then. */
  Simulation pausing() {
    pauses = true;
    return this;
  }

  /** What a step learns depends on the values that it starts from; before anything is run. */
  Simulation sensitive() {
    sensitive = true;
    startReplicas(replicas.size(), List.of(), List.of());
    return this;
  }

  /** Of what is left out of contributions so much stays; before anything is run. */
  Simulation decaying(double to) {
    decay = to;
    startReplicas(replicas.size(), List.of(), List.of());
    return this;
  }

  /** Something helps replicas learn; before anything is run. */
  Simulation hooked(ReplicaHookFactory factory) {
    hooks.add(factory);
    startReplicas(replicas.size(), List.of(), List.of());
    return this;
  }

  private void startReplicas(int count, List<byte[]> saved, List<List<byte[]>> gathered) {
    replicas.clear();
    hooks.clear();
    ended.clear();
    channels = new SimulatedChannels(count, layout.count(), gatherers.exist(), die);
    blocks.tell(replicas, channels);
    gatherers.start(count, gathered, coordinator.contributionsUnderWay(), channels);
    for (int index = 0; index < count; index++) {
      ModelReplica model = model();
      Replica replica =
          new Replica(
              index,
              model,
              layout,
              new ReplicaRules(
                  schedule,
                  ContributionCodecs.ofAll(codec, List.of(new IndexRange(0, layout.length())))
                      .withDecay(decay),
                  input.hasFields(),
                  !aggregator.averages(),
                  new ContributionGuard(Double.POSITIVE_INFINITY)),
              new JobShare(count, OF_STEP, RateFactors.NONE, steering.signals()),
              hooks.next(
                  new HookContext(
                      index, count, count, model, !aggregator.averages(), HookPort.NONE)),
              System::nanoTime);
      if (saved.isEmpty()) {
        replica.begin(initial);
      }
      try {
        replica.restore(SimulatedCheckpoint.dealt(saved, index, count), List.of());
        if (!saved.isEmpty()) {
          hooks.restore(index, count);
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      replicas.add(replica);
      ended.add(false);
      tellCoordinator(index, new Hello(index, count, gatherers.home(index)));
      for (int block = 0; block < layout.count(); block++) {
        tellBlock(
            index,
            index == 0 && saved.isEmpty()
                ? replica.offer(block, initial.serverOptimizer(), "here")
                : replica.pull(block, "here"));
      }
    }
  }

  /** Gives one whose errors there are, where training is steered. */
  private ModelReplica model() {
    ModelReplica summing =
        ModelEngine.named(SummingEngine.NAME).build(initial.spec(), DeviceRequest.any());
    if (sensitive) {
      return new FadingModel(summing);
    }
    return steering.signals().errors() ? new PredictingModel(summing) : summing;
  }

  /** Runs to the end of the input, with failures and changes of parallelism on the way. */
  void run(double checkpoints, double failures, double rescales) throws IOException {
    run(checkpoints, failures, rescales, List.of(schedule));
  }

  /** The same, with one of these schedules after each restore. */
  void run(double checkpoints, double failures, double rescales, List<Schedule> schedules)
      throws IOException {
    for (int events = 0; !isDone(); events++) {
      if (events == MOST_EVENTS) {
        throw new AssertionError(
            "Nothing goes on any more, seed %s: %s"
                .formatted(seed, replicas.stream().map(Replica::waitsFor).toList()));
      }
      double event = die.nextDouble();
      if (event < checkpoints) {
        if (!inStep || !ended.contains(true)) {
          takeCheckpoint();
        }
      } else if (event < checkpoints + failures && checkpoint != null) {
        restore(replicas.size(), schedules);
      } else if (event < checkpoints + failures + rescales && checkpoint != null) {
        takeCheckpoint();
        restore(1 + die.nextInt(SimulatedInput.partitions().length), schedules);
      } else {
        step();
      }
    }
  }

  private boolean isDone() {
    return ended.stream().allMatch(Boolean::booleanValue)
        && channels.isEmpty()
        && !coordinator.hasAnnouncements();
  }

  private void step() {
    int choice = die.nextInt(10);
    if (choice < 5) {
      channels.deliver();
    } else if (choice < 7) {
      channels.deliverFeedback();
    } else if (choice < 9) {
      train(die.nextInt(replicas.size()));
    } else if (!punctual && !inStep && die.nextInt(20) == 0) {
      coordinator.expire();
      closeRounds();
    } else if (pauses && die.nextInt(20) == 0) {
      pause(die.nextInt(replicas.size()));
    }
  }

  /** It has no examples for a while. */
  private void pause(int index) {
    Replica replica = replicas.get(index);
    if (ended.get(index) || !replica.mayTrain()) {
      return;
    }
    replica.endDelay();
    if (replica.isReleased()) {
      if (replica.hasToContribute()) {
        tellCoordinator(
            index, replica.contributeAll(contribution -> tellBlock(index, contribution)));
      }
      tellCoordinator(index, new Idle(index));
    }
  }

  private void train(int index) {
    Replica replica = replicas.get(index);
    if (ended.get(index) || !replica.mayTrain()) {
      return;
    }
    int size = replica.minibatch(BATCH);
    Minibatch minibatch = new Minibatch(initial.spec().shape(), size, hooks.mostRows(size));
    input.read(minibatch, replica, index, replicas.size());
    boolean over = !minibatch.isFull();
    if (over) {
      replica.inputEnded();
    }
    if (!minibatch.isEmpty()) {
      replica.learn(minibatch, (partition, offset, reason) -> {});
      if (!over && replica.isDue()) {
        contribute(index);
      }
    }
    if (over) {
      replica
          .contributeLast(contribution -> tellBlock(index, contribution))
          .ifPresent(last -> tellCoordinator(index, last));
      tellCoordinator(index, replica.farewell());
      ended.set(index, true);
    }
  }

  private void contribute(int index) {
    tellCoordinator(
        index, replicas.get(index).contribute(contribution -> tellBlock(index, contribution)));
  }

  private void tellBlock(int index, BlockMessage message) {
    if (gatherers.exist() && message instanceof Contribution contribution) {
      gatherers.send(contribution);
    } else {
      channels.toBlock(index, message.block(), () -> blocks.take(message));
    }
  }

  private void tellCoordinator(int index, CoordinatorMessage message) {
    channels.toCoordinator(
        index,
        () -> {
          if (message instanceof Hello hello) {
            coordinator.hello(hello);
            gatherers.hello(hello);
            if (!gatherers.await(coordinator)) {
              tellReplicas();
            }
          } else if (message instanceof Announcement announcement) {
            coordinator.announce(announcement);
          } else if (message instanceof Idle idle) {
            coordinator.idle(idle.replica());
          } else if (message instanceof Farewell farewell) {
            coordinator.farewell(farewell);
          }
          closeRounds();
        });
  }

  private void closeRounds() {
    while (!gatherers.await(coordinator) && coordinator.ready()) {
      ClosedRound closed = coordinator.close(WholeRound.OF_THOSE_THAT_TRAIN);
      tellReplicas();
      for (Decision decision : closed.decisions(layout.count(), false)) {
        channels.fromCoordinatorToBlock(decision.block(), () -> blocks.take(decision));
      }
      gatherers.decided(closed);
    }
  }

  private void tellReplicas() {
    var head =
        coordinator.head(
            schedule.localSteps(coordinator.version().round(), RoundCost.UNKNOWN), false);
    gatherers.tell(head, coordinator::standing);
    for (int index = 0; index < replicas.size(); index++) {
      if (gatherers.know(index)) {
        Replica replica = replicas.get(index);
        Standing standing = coordinator.standing(index);
        channels.fromCoordinator(index, () -> replica.accept(head, standing));
      }
    }
  }

  /** All that is on its way to coordinator and blocks arrives, as before an aligned barrier. */
  private void takeCheckpoint() throws IOException {
    channels.deliverAll();
    List<byte[]> savedReplicas = new ArrayList<>();
    for (Replica replica : replicas) {
      savedReplicas.add(replica.save().toBytes());
    }
    hooks.save();
    ByteArrayOutputStream savedCoordinator = new ByteArrayOutputStream();
    coordinator.write(new DataOutputStream(savedCoordinator));
    checkpoint =
        new SimulatedCheckpoint(
            savedReplicas,
            savedCoordinator.toByteArray(),
            blocks.save(),
            gatherers.save(coordinator.contributionsUnderWay()),
            input.positions());
  }

  /** By replica, what a checkpoint would have now of the first hook. */
  List<List<byte[]>> hookStates() throws IOException {
    return hooks.states(0);
  }

  private void restore(int count, List<Schedule> schedules) throws IOException {
    schedule = schedules.size() == 1 ? schedule : schedules.get(die.nextInt(schedules.size()));
    input.seek(checkpoint.positions());
    coordinator =
        Coordinator.read(
            new DataInputStream(new ByteArrayInputStream(checkpoint.coordinator())),
            100,
            OF_STEP,
            steering.hook());
    coordinator.begin(coordinator.version().generation() + 1);
    blocks.restore(checkpoint.blocks());
    startReplicas(count, checkpoint.replicas(), checkpoint.gathered());
  }

  Coordinator coordinator() {
    return coordinator;
  }

  float[] globalVector() {
    return blocks.vector();
  }

  SimulatedBlocks blocks() {
    return blocks;
  }
}
