package dev.millrace.simulate.job;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.NanoClock;
import dev.millrace.exchange.flink.block.BlockKeys;
import dev.millrace.exchange.flink.block.ExchangeOperator;
import dev.millrace.exchange.flink.coordinator.CoordinatorOperator;
import dev.millrace.exchange.flink.coordinator.CoordinatorSettings;
import dev.millrace.exchange.flink.coordinator.InitialGlobalModel;
import dev.millrace.exchange.flink.coordinator.PublicationSettings;
import dev.millrace.exchange.flink.coordinator.ReportSettings;
import dev.millrace.exchange.flink.coordinator.RoundPace;
import dev.millrace.exchange.flink.coordinator.SavedModel;
import dev.millrace.exchange.flink.coordinator.UsedGenerations;
import dev.millrace.exchange.flink.feedback.FeedbackOperator;
import dev.millrace.exchange.flink.gather.GatherOperator;
import dev.millrace.exchange.flink.gather.ToGatherer;
import dev.millrace.exchange.flink.replica.Batching;
import dev.millrace.exchange.flink.replica.ExampleSettings;
import dev.millrace.exchange.flink.replica.HookSettings;
import dev.millrace.exchange.flink.replica.LearningRates;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.flink.replica.ReplicaOutputs;
import dev.millrace.exchange.flink.replica.ReplicaSettings;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.RefusalLimit;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.job.train.publish.PublisherOperator;
import dev.millrace.job.train.publish.PublisherSettings;
import dev.millrace.job.train.publish.PublisherThread;
import dev.millrace.job.train.publish.ReleaseSettings;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import dev.millrace.simulate.task.Edge;
import dev.millrace.simulate.task.Task;
import dev.millrace.source.ParkingOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.util.OutputTag;

/**
 * The training job's graph, as {@link dev.millrace.job.train.TrainingTopology} builds it: the same
 * operators, ways and numbers of subtasks. {@code GraphTest} compares both.
 */
final class Graph {

  /** Only where records come by one. */
  static final String STREAM = "stream";

  static final String REPLICA = "replica";
  static final String COORDINATOR = "coordinator";
  static final String GATHERER = "gatherer";
  static final String EXCHANGE = "exchange";
  static final String FEEDBACK = "feedback";
  static final String PUBLISHER = "publisher";

  static final int KEY_GROUPS = 128;

  private static final int JOB_BATCH = 8;

  private final JobOptions options;
  private final Input input;
  private final ModelSpec spec;
  private final BlockLayout layout;
  private final BlockKeys keys;
  private final ReleaseSettings releaseOrNull;
  private final UsedGenerations generations;

  /**
   * @param releaseOrNull how models are published; null for not at all
   */
  Graph(
      JobOptions options, Input input, ReleaseSettings releaseOrNull, UsedGenerations generations) {
    this.options = options;
    this.input = input;
    this.spec = SummingEngine.spec(options.parameters());
    this.layout = spec.layout(options.blockSize(), true);
    this.keys = new BlockKeys(layout.count(), KEY_GROUPS);
    this.releaseOrNull = releaseOrNull;
    this.generations = generations;
  }

  /** Returns how many subtasks each task has, in an order in which each is behind its inputs. */
  Map<String, Integer> subtasks() {
    Map<String, Integer> subtasks = new LinkedHashMap<>();
    if (input.isStream()) {
      subtasks.put(STREAM, Math.min(input.partitions(), options.replicas()));
    }
    subtasks.put(REPLICA, options.replicas());
    subtasks.put(COORDINATOR, 1);
    if (options.gathers()) {
      subtasks.put(GATHERER, options.replicas());
    }
    subtasks.put(EXCHANGE, Math.min(KEY_GROUPS, Math.min(options.replicas(), layout.count())));
    subtasks.put(FEEDBACK, options.replicas());
    subtasks.put(PUBLISHER, 1);
    return subtasks;
  }

  int blocks() {
    return layout.count();
  }

  /**
   * Returns how many parts the state of one of its subtasks has: a replica's chain is headed by a
   * source, or by what parks the records of a stream.
   */
  static int parts(String vertex) {
    return vertex.equals(REPLICA) ? 2 : 1;
  }

  /** Gives a subtask what it runs. */
  void fill(
      Task task, int attempt, boolean restored, FaultInjector faults, PublisherThread worker) {
    NanoClock nanos = () -> task.micros() * 1_000;
    switch (task.vertex()) {
      case REPLICA -> {
        if (input.isStream()) {
          task.add(parking());
          if (input.mostParked() < input.records()) {
            task.mayWait();
          }
        } else {
          task.head(reader(task, this::example, restored));
        }
        task.add(
            new ReplicaOperator(
                replica(), context -> SummingEngine.initial(layout.length()), faults, nanos));
      }
      case STREAM -> task.head(reader(task, Input::record, restored));
      case COORDINATOR -> task.add(new CoordinatorOperator(coordinator(), faults, nanos));
      case GATHERER ->
          task.add(new GatherOperator(layout, options.aggregator(), options.direct(), faults));
      case EXCHANGE -> {
        task.keyedBy(this::key);
        task.add(
            new ExchangeOperator(
                keys, this::combiner, options.publishes(), options.direct(), faults));
      }
      case FEEDBACK ->
          task.add(new FeedbackOperator(layout, options.feedbackCodecs().sendChanges(), faults));
      case PUBLISHER -> task.add(new PublisherOperator(publisher(), SegmentRule.NONE, worker));
      default -> throw new IllegalArgumentException(task.vertex());
    }
  }

  private <T> PartitionReader<T> reader(
      Task task, PartitionReader.Records<T> records, boolean restored) {
    List<long[]> splits = input.splits(subtasks().get(task.vertex())).get(task.index());
    return new PartitionReader<>(input, records, splits, restored);
  }

  private Received example(int partition, long offset) {
    if (Input.isRejected(offset)) {
      return RejectedRecord.withoutBytes(Input.partition(partition), offset, "it is no example");
    }
    Example example = new Example(spec.shape());
    example.features()[0] = Input.value(partition, offset);
    example.setOrigin(Input.partition(partition), offset);
    return example;
  }

  private ParkingOperator<Long> parking() {
    return new ParkingOperator<>(
        (record, into) -> {
          int partition = Input.partitionOf(record);
          long offset = Input.offsetOf(record);
          if (Input.isRejected(offset)) {
            throw new IllegalArgumentException("it is no example");
          }
          into.features(new float[] {Input.value(partition, offset)});
          into.labels(new float[] {0});
        },
        spec.shape(),
        LongSerializer.INSTANCE,
        STREAM,
        input.mostParked());
  }

  private Combiner combiner() {
    return new Combiner(
        layout,
        options.aggregator(),
        options.optimizer(),
        options.feedbackCodecs(),
        options.averaging());
  }

  private int key(Object message) {
    return keys.keyOf(
        message instanceof Decision decision ? decision.block() : ((BlockMessage) message).block());
  }

  private BatchSize batch() {
    return new BatchSize(JOB_BATCH, 4);
  }

  private ReplicaSettings replica() {
    return new ReplicaSettings(
        spec,
        layout,
        DeviceRequest.any(),
        new Batching(batch(), options.maxWait(), 0),
        new ReplicaRules(
            options.schedule(),
            options.codecs(layout.length()),
            false,
            true,
            new ContributionGuard(Double.POSITIVE_INFINITY)),
        LearningRates.AS_CONFIGURED,
        ExampleSettings.PLAIN,
        HookSettings.NONE);
  }

  private CoordinatorSettings coordinator() {
    return new CoordinatorSettings(
        new InitialGlobalModel(
            new SavedModel(spec, layout, Lineage.NONE), new FeatureStatistics(0), null, 0),
        new RoundPace(
            options.schedule(),
            options.timeout(),
            options.patience(),
            WholeRound.OF_THOSE_THAT_TRAIN),
        batch(),
        StopRules.NONE,
        RefusalLimit.NONE,
        new PublicationSettings(options.publication(), generations),
        new ReportSettings(1_000, Duration.ofMinutes(1), false),
        options.gathers(),
        NoSteering.NONE);
  }

  private PublisherSettings publisher() {
    return new PublisherSettings(spec, layout, null, null, DeviceRequest.guest(), releaseOrNull);
  }

  /** Says how subtasks are connected. */
  void connect(Map<String, List<Task>> tasks, Latencies latencies) {
    Wires wires = new Wires(tasks, latencies);
    int subtasks = tasks.get(EXCHANGE).size();
    if (input.isStream()) {
      int replicas = tasks.get(REPLICA).size();
      wires.connect(
          STREAM, null, Types.LONG, REPLICA, 1, record -> (int) (record % replicas));
    }
    wires.connect(
        REPLICA,
        null,
        WireType.BLOCK_MESSAGE,
        EXCHANGE,
        1,
        message -> owner(message.block(), subtasks));
    wires.connect(REPLICA, ReplicaOutputs.COORDINATOR, COORDINATOR, 1, message -> 0);
    wires.connect(REPLICA, ReplicaOutputs.HELD_OUT, PUBLISHER, 2, message -> 0);
    if (options.gathers()) {
      wires.connect(
          REPLICA,
          ReplicaOutputs.GATHERED,
          GATHERER,
          1,
          ToGatherer::gatherer);
      wires.connect(
          COORDINATOR,
          ExchangeOutputs.ORDERS,
          GATHERER,
          2,
          GatherOrder::gatherer);
      wires.connect(
          GATHERER,
          null,
          WireType.BLOCK_MESSAGE,
          EXCHANGE,
          1,
          message -> owner(message.block(), subtasks));
    }
    wires.connect(
        COORDINATOR,
        null,
        WireType.DECISION,
        EXCHANGE,
        2,
        decision -> owner(decision.block(), subtasks));
    wires.connect(
        COORDINATOR,
        ExchangeOutputs.HEADS,
        FEEDBACK,
        2,
        HeadDelivery::sink);
    wires.connect(
        EXCHANGE, null, WireType.DELIVERY, FEEDBACK, 1, delivery -> delivery.sink());
    wires.connect(EXCHANGE, ExchangeOutputs.PUBLISHED, PUBLISHER, 1, part -> 0);
    wires.connect(COORDINATOR, ExchangeOutputs.PUBLISHED, PUBLISHER, 1, part -> 0);
  }

  private int owner(int block, int subtasks) {
    for (int subtask = 0; subtask < subtasks; subtask++) {
      if (keys.isOwned(block, subtask, subtasks)) {
        return subtask;
      }
    }
    throw new IllegalStateException("Nobody owns block " + block);
  }

  /** How long things are under way. */
  interface Latencies {

    /** Returns the time from one subtask to another, in microseconds; of each record anew. */
    LongSupplier between(Task from, Task to);
  }

  private static final class Wires {

    private final Map<String, List<Task>> tasks;
    private final Latencies latencies;

    Wires(Map<String, List<Task>> tasks, Latencies latencies) {
      this.tasks = tasks;
      this.latencies = latencies;
    }

    <T> void connect(
        String from,
        OutputTag<T> tag,
        String to,
        int input,
        ToIntFunction<T> target) {
      connect(from, tag, tag.getTypeInfo(), to, input, target);
    }

    @SuppressWarnings("unchecked") // Of the main output there is one type.
    <T> void connect(
        String from,
        OutputTag<T> tagOrNull,
        TypeInformation<? extends T> type,
        String to,
        int input,
        ToIntFunction<T> target) {
      TypeSerializer<T> serializer =
          (TypeSerializer<T>) type.createSerializer(new SerializerConfigImpl());
      for (Task sender : tasks.get(from)) {
        List<Edge> edges = new ArrayList<>();
        for (Task receiver : tasks.get(to)) {
          edges.add(receiver.input(input, serializer, latencies.between(sender, receiver)));
        }
        sender.route(tagOrNull, serializer, target, edges);
      }
    }
  }
}
