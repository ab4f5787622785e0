package dev.millrace.simulate.job;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.Combiner;
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
import dev.millrace.exchange.flink.replica.Batching;
import dev.millrace.exchange.flink.replica.ExampleSettings;
import dev.millrace.exchange.flink.replica.HookSettings;
import dev.millrace.exchange.flink.replica.LearningRates;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.flink.replica.ReplicaSettings;
import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.RefusalLimit;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.steering.ExampleSignals;
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
import dev.millrace.simulate.task.Task;
import dev.millrace.source.ParkingOperator;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.LongSerializer;

/** What runs in the subtasks of the training job: the real operators, with a run's settings. */
final class Operators {

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
  Operators(
      JobOptions options, Input input, ReleaseSettings releaseOrNull, UsedGenerations generations) {
    this.options = options;
    this.input = input;
    this.spec = SummingEngine.spec(options.parameters());
    this.layout = spec.layout(options.blockSize(), true);
    this.keys = new BlockKeys(layout.count(), Graph.KEY_GROUPS);
    this.releaseOrNull = releaseOrNull;
    this.generations = generations;
  }

  BlockLayout layout() {
    return layout;
  }

  BlockKeys keys() {
    return keys;
  }

  /** Gives a subtask what it runs. */
  void fill(Task task, int subtasks, boolean restored, Steps steps, PublisherThread worker) {
    FaultInjector faults = steps.faults();
    NanoClock nanos = () -> task.micros() * 1_000;
    switch (task.vertex()) {
      case Graph.REPLICA -> {
        if (input.isStream()) {
          task.add(parking());
          if (input.mostParked() < input.records()) {
            task.mayWait();
          }
        } else {
          task.head(reader(task, subtasks, this::example, restored));
        }
        task.add(
            new ReplicaOperator(
                replica(steps.timeOf(task)),
                context -> SummingEngine.initial(layout.length()),
                faults,
                nanos));
      }
      case Graph.STREAM -> task.head(reader(task, subtasks, Input::record, restored));
      case Graph.COORDINATOR -> task.add(new CoordinatorOperator(coordinator(), faults, nanos));
      case Graph.GATHERER ->
          task.add(new GatherOperator(layout, options.aggregator(), options.direct(), faults));
      case Graph.EXCHANGE -> {
        task.keyedBy(this::key);
        task.add(
            new ExchangeOperator(
                keys, this::combiner, options.publishes(), options.direct(), faults));
      }
      case Graph.FEEDBACK ->
          task.add(new FeedbackOperator(layout, options.feedbackCodecs().sendChanges(), faults));
      case Graph.PUBLISHER ->
          task.add(new PublisherOperator(publisher(), SegmentRule.NONE, worker));
      default -> throw new IllegalArgumentException(task.vertex());
    }
  }

  private <T> PartitionReader<T> reader(
      Task task, int subtasks, PartitionReader.Records<T> records, boolean restored) {
    List<long[]> splits = input.splits(subtasks).get(task.index());
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
        Graph.STREAM,
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

  private ReplicaSettings replica(StepTime time) {
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
        new HookSettings(List.of(time), ExampleSignals.NOTHING, Duration.ZERO));
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
}
