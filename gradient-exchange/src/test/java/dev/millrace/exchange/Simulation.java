package dev.millrace.exchange;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.Feedback;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.block.GlobalModelCopy;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Idle;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.RoundCost;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.IndexRange;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.SummingEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
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

  private static final int BATCH = 4;

  /** Far more than any run takes. */
  private static final int MOST_EVENTS = 500_000;

  private static final Partition[] PARTITIONS = new Partition[4];

  static {
    for (int i = 0; i < PARTITIONS.length; i++) {
      PARTITIONS[i] = new Partition("t", i);
    }
  }

  /** A consistent cut. */
  private record Checkpoint(
      List<byte[]> replicas, byte[] coordinator, List<byte[]> blocks, long[] positions) {}

  private final long seed;
  private final Random die;
  private final Schedule schedule;
  private final long recordsPerPartition;
  private final InitialModel initial = SummingEngine.initial(PARAMETERS);
  private final BlockLayout layout = initial.spec().layout(BLOCK_SIZE, true);
  private final Combiner combiner;
  private final Codec codec;
  private final Codec feedbackCodec;

  private final List<Replica> replicas = new ArrayList<>();
  private final List<ModelReplica> models = new ArrayList<>();
  private GlobalModelCopy mirror;
  private final BitSet told = new BitSet();
  private final List<Boolean> ended = new ArrayList<>();
  private final GlobalBlock[] blocks = new GlobalBlock[layout.count()];
  private Coordinator coordinator;
  private long[] positions = new long[PARTITIONS.length];
  private Checkpoint checkpoint;

  private final List<Deque<Runnable>> channels = new ArrayList<>();
  private final List<Deque<Runnable>> feedback = new ArrayList<>();

  Simulation(
      long seed, int replicas, Schedule schedule, Aggregator aggregator, long recordsPerPartition) {
    this(seed, replicas, schedule, Codec.float32(), aggregator, null, recordsPerPartition);
  }

  /** {@code feedbackCodec} is null where blocks go back whole. */
  Simulation(
      long seed,
      int replicas,
      Schedule schedule,
      Codec codec,
      Aggregator aggregator,
      Codec feedbackCodec,
      long recordsPerPartition) {
    this.seed = seed;
    this.die = new Random(seed);
    this.schedule = schedule;
    this.recordsPerPartition = recordsPerPartition;
    this.codec = codec;
    this.feedbackCodec = feedbackCodec;
    this.combiner = new Combiner(layout, codec, aggregator, ServerOptimizer.none(1), feedbackCodec);
    start(replicas);
  }

  private void start(int count) {
    coordinator = new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 100));
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] = new GlobalBlock(block);
    }
    startReplicas(count, List.of());
  }

  private void startReplicas(int count, List<byte[]> saved) {
    replicas.clear();
    models.clear();
    mirror = new GlobalModelCopy(feedbackCodec, layout.count());
    told.clear();
    ended.clear();
    channels.clear();
    feedback.clear();
    // Per replica one channel to each block, one to the coordinator, and two back; the
    // coordinator's own
    // last.
    for (int i = 0; i < count * (layout.count() + 1) + layout.count(); i++) {
      channels.add(new ArrayDeque<>());
    }
    for (int i = 0; i < count * (layout.count() + 1); i++) {
      feedback.add(new ArrayDeque<>());
    }
    for (int index = 0; index < count; index++) {
      models.add(ModelEngine.named(SummingEngine.NAME).build(initial.spec(), DeviceRequest.any()));
      Replica replica =
          new Replica(
              index,
              models.get(index),
              initial,
              layout,
              codec.encoder(List.of(new IndexRange(0, layout.length()))),
              schedule,
              false,
              new ContributionGuard(Double.POSITIVE_INFINITY),
              System::nanoTime);
      List<byte[]> mine = new ArrayList<>();
      for (int i = 0; i < saved.size(); i++) {
        // Dealt out as Flink deals list state: in runs, the first subtasks one more.
        if (owner(i, saved.size(), count) == index) {
          mine.add(saved.get(i));
        }
      }
      try {
        replica.restore(mine);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      replicas.add(replica);
      ended.add(false);
      tellCoordinator(index, new Hello(index, count, "here"));
      for (int block = 0; block < layout.count(); block++) {
        tellBlock(index, replica.pull(block, index == 0 && saved.isEmpty(), "here"));
      }
    }
  }

  private static int owner(int item, int items, int subtasks) {
    int base = items / subtasks;
    int rest = items % subtasks;
    int inFront = rest * (base + 1);
    return item < inFront ? item / (base + 1) : rest + (item - inFront) / Math.max(base, 1);
  }

  /** Runs to the end of the input, with failures and changes of parallelism on the way. */
  void run(double checkpoints, double failures, double rescales) throws IOException {
    for (int events = 0; !isDone(); events++) {
      if (events == MOST_EVENTS) {
        throw new AssertionError("Nothing goes on any more, seed " + seed);
      }
      double event = die.nextDouble();
      if (event < checkpoints) {
        takeCheckpoint();
      } else if (event < checkpoints + failures && checkpoint != null) {
        restore(replicas.size());
      } else if (event < checkpoints + failures + rescales && checkpoint != null) {
        takeCheckpoint();
        restore(1 + die.nextInt(PARTITIONS.length));
      } else {
        step();
      }
    }
  }

  private boolean isDone() {
    return ended.stream().allMatch(Boolean::booleanValue)
        && channels.stream().allMatch(Deque::isEmpty)
        && !coordinator.hasAnnouncements();
  }

  private void step() {
    int choice = die.nextInt(10);
    if (choice < 5) {
      deliverOne(channels);
    } else if (choice < 7) {
      deliverOne(feedback);
    } else if (choice < 9) {
      train(die.nextInt(replicas.size()));
    } else if (die.nextInt(20) == 0) {
      coordinator.expire();
      closeRounds();
    }
  }

  private void deliverOne(List<Deque<Runnable>> among) {
    Deque<Runnable> channel = among.get(die.nextInt(among.size()));
    if (!channel.isEmpty()) {
      channel.removeFirst().run();
    }
  }

  private void train(int index) {
    Replica replica = replicas.get(index);
    if (ended.get(index) || !replica.mayTrain()) {
      return;
    }
    Minibatch minibatch = new Minibatch(initial.spec().shape(), BATCH);
    for (int p = index; p < PARTITIONS.length; p += replicas.size()) {
      while (!minibatch.isFull() && positions[p] < recordsPerPartition) {
        long offset = positions[p]++;
        if (offset % 13 == 5) {
          replica.reject(PARTITIONS[p], offset);
        } else {
          minibatch.add(new float[] {value(p, offset)}, new float[1], 1, PARTITIONS[p], offset);
        }
      }
    }
    if (!minibatch.isEmpty()) {
      replica.learn(minibatch);
      if (replica.isDue()) {
        contribute(index);
      }
    } else {
      if (replica.hasLearned()) {
        contribute(index);
      }
      tellCoordinator(index, replica.farewell());
      ended.set(index, true);
    }
  }

  private void contribute(int index) {
    tellCoordinator(
        index, replicas.get(index).contribute(contribution -> tellBlock(index, contribution)));
  }

  private void tellBlock(int index, BlockMessage message) {
    channels
        .get(index * (layout.count() + 1) + message.block())
        .add(
            () -> {
              GlobalBlock block = blocks[message.block()];
              if (message instanceof Pull pull) {
                block.initialize(pull.initial(), pull.serverOptimizer(), combiner);
                if (block.isInitialized() && !told.get(block.block())) {
                  broadcast(block);
                }
              } else {
                block.add((Contribution) message);
              }
              advance(block);
            });
  }

  private void advance(GlobalBlock block) {
    while (block.advance(combiner) != null) {
      broadcast(block);
    }
  }

  private void broadcast(GlobalBlock block) {
    Feedback live = block.feedback(combiner, !told.get(block.block()));
    told.set(block.block());
    BlockUpdate sent = mirror.take(copy(live));
    for (int index = 0; index < replicas.size(); index++) {
      Replica replica = replicas.get(index);
      Deque<Runnable> channel = feedback.get(index * (layout.count() + 1) + live.block());
      if (die.nextBoolean()) {
        channel.clear(); // Conflated: the newest is enough.
      }
      channel.add(() -> replica.accept(sent));
    }
  }

  /** As over the network: values that change later must not change what was sent. */
  private static Feedback copy(Feedback feedback) {
    return feedback instanceof BlockUpdate update
        ? new BlockUpdate(
            update.block(), update.round(), update.values().clone(), update.included())
        : feedback;
  }

  /**
   * What replicas have learned and not contributed, or what codecs have left out of it, summed up:
   * their values less the global ones that they know of.
   */
  float[] pending() {
    while (feedback.stream().anyMatch(channel -> !channel.isEmpty())) {
      deliverOne(feedback);
    }
    float[] sum = new float[layout.length()];
    for (GlobalBlock block : blocks) {
      int offset = layout.offset(block.block());
      float[] known = ((BlockUpdate) block.feedback(combiner, true)).values();
      float[] values = new float[known.length];
      for (ModelReplica model : models) {
        model.read(offset, values, 0, values.length);
        for (int i = 0; i < values.length; i++) {
          sum[offset + i] += values[i] - known[i];
        }
      }
    }
    return sum;
  }

  private void tellCoordinator(int index, CoordinatorMessage message) {
    channels
        .get(index * (layout.count() + 1) + layout.count())
        .add(
            () -> {
              if (message instanceof Hello hello) {
                coordinator.hello(hello);
                tellReplicas();
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
    while (coordinator.ready()) {
      ClosedRound closed = coordinator.close();
      tellReplicas();
      for (GlobalBlock block : blocks) {
        Decision decision = new Decision(block.block(), closed.round(), closed.members(), false);
        channels
            .get(replicas.size() * (layout.count() + 1) + block.block())
            .add(
                () -> {
                  blocks[decision.block()].add(decision);
                  advance(blocks[decision.block()]);
                });
      }
    }
  }

  private void tellReplicas() {
    var head =
        coordinator.head(
            schedule.localSteps(coordinator.version().round(), RoundCost.UNKNOWN), false);
    for (int index = 0; index < replicas.size(); index++) {
      Replica replica = replicas.get(index);
      feedback.get(index * (layout.count() + 1) + layout.count()).add(() -> replica.accept(head));
    }
  }

  /** All that is on its way to coordinator and blocks arrives, as before an aligned barrier. */
  private void takeCheckpoint() throws IOException {
    while (channels.stream().anyMatch(channel -> !channel.isEmpty())) {
      deliverOne(channels);
    }
    List<byte[]> savedReplicas = new ArrayList<>();
    for (Replica replica : replicas) {
      savedReplicas.add(replica.save().toBytes());
    }
    ByteArrayOutputStream savedCoordinator = new ByteArrayOutputStream();
    coordinator.write(new DataOutputStream(savedCoordinator));
    List<byte[]> savedBlocks = new ArrayList<>();
    for (GlobalBlock block : blocks) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      block.write(new DataOutputStream(bytes), combiner.codec());
      savedBlocks.add(bytes.toByteArray());
    }
    checkpoint =
        new Checkpoint(
            savedReplicas, savedCoordinator.toByteArray(), savedBlocks, positions.clone());
  }

  private void restore(int count) throws IOException {
    positions = checkpoint.positions().clone();
    coordinator = Coordinator.read(input(checkpoint.coordinator()), 100);
    coordinator.begin(coordinator.version().generation() + 1);
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] = GlobalBlock.read(input(checkpoint.blocks().get(block)));
    }
    startReplicas(count, checkpoint.replicas());
  }

  private static DataInputStream input(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  static float value(int partition, long offset) {
    return 1 + (partition * 31L + offset * 7) % 10;
  }

  Coordinator coordinator() {
    return coordinator;
  }

  float[] globalVector() {
    float[] vector = new float[layout.length()];
    for (GlobalBlock block : blocks) {
      float[] values = block.update().values();
      System.arraycopy(values, 0, vector, layout.offset(block.block()), values.length);
    }
    return vector;
  }

  static Partition[] partitions() {
    return PARTITIONS.clone();
  }
}
