package dev.millrace.job.train;

import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.block.BlockKeys;
import dev.millrace.exchange.flink.block.ExchangeOperator;
import dev.millrace.exchange.flink.coordinator.CoordinatorOperator;
import dev.millrace.exchange.flink.feedback.FeedbackOperator;
import dev.millrace.exchange.flink.gather.GatherOperator;
import dev.millrace.exchange.flink.gather.ToGatherer;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.flink.replica.ReplicaOutputs;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.Decision;
import dev.millrace.job.common.OperatorName;
import dev.millrace.job.train.publish.PlannedCheckpoints;
import dev.millrace.job.train.publish.PublisherOperator;
import dev.millrace.kafka.sink.OutputRecord;
import dev.millrace.model.BlockLayout;
import dev.millrace.source.GatedSource;
import dev.millrace.source.ParkingOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

/**
 * The training job's graph.
 *
 * <pre>
 * source ─► replica ──contributions──► keyBy(block) ─► exchange ──┐
 *             │ │└─────announcements─► coordinator ─decisions─►┘  │    │
 *             │ └─rejected─► dead letters   └─heads─┐        │    │
 *             ▲                                     ▼        │    │
 *             └────── feedback channel ◄──────── feedback ◄──│────┘
 *                                      publisher ◄───────────┘
 * </pre>
 *
 * Where the contributions of a process are combined in it, they go to a gatherer there, and from
 * there to the exchange. The coordinator sends rounds to gatherers, too. What helps replicas learn
 * may have a loop of its own beside this one.
 */
public final class TrainingTopology {

  /**
   * Upper bound of the exchange's parallelism where Flink isn't told one, as of that of replicas;
   * part of every savepoint.
   */
  private static final int KEY_GROUPS = 128;

  private static final OutputTag<String> NOTHING = new OutputTag<>("nothing", Types.STRING);

  private final TrainingSettings settings;
  private final String prefix;
  private final FaultInjector faults;
  private final ModelTransport transport;

  /** The only training of its job. */
  public TrainingTopology(TrainingSettings settings, FaultInjector faults) {
    this(settings, "", ModelTransport.CACHE, faults);
  }

  /**
   * One of several trainings of a job. They share nothing: names, co-location and files have a
   * prefix, and the ways back to replicas have names of their own in any case.
   *
   * @param prefix of the operators' names; empty for none
   * @param transport how the model to start from travels
   */
  public TrainingTopology(
      TrainingSettings settings, String prefix, ModelTransport transport, FaultInjector faults) {
    this.settings = settings;
    this.prefix = prefix;
    this.transport = transport;
    this.faults = faults;
  }

  /**
   * What a graph gives out.
   *
   * @param rejected records that are no examples, or that the model can't learn from
   * @param records what is measured, as JSON; of one task
   * @param nothing has no records, and comes of the loop's last operator. Where only those
   *     operators run that a sink needs, the graph is whole once a sink has all of these
   * @param written what loops of hooks write to topics
   */
  public record Outputs(
      DataStream<RejectedRecord> rejected,
      DataStream<String> records,
      DataStream<String> nothing,
      List<DataStream<OutputRecord>> written) {}

  /**
   * Adds the graph to {@code env}, with as many replicas as the environment's parallelism. The
   * environment is as {@link TrainingEnvironment} has it.
   */
  public Outputs build(
      StreamExecutionEnvironment env,
      Source<Received, ?, ?> source,
      TypeInformation<Received> sourceType) {
    return build(
        env,
        name(TrainingOperators.SOURCE)
            .on(
                env.fromSource(
                    GatedSource.of(source, sourceType),
                    WatermarkStrategy.noWatermarks(),
                    TrainingOperators.SOURCE.uid())));
  }

  /**
   * Adds the graph behind a stream of records, which {@code parking} makes examples of.
   *
   * @param <T> the records
   */
  public <T> Outputs build(
      StreamExecutionEnvironment env,
      DataStream<T> records,
      ParkingOperator<T> parking,
      TypeInformation<Received> type) {
    return build(
        env,
        name(TrainingOperators.PARKED)
            .on(records.transform(TrainingOperators.PARKED.uid(), type, parking))
            .setParallelism(env.getParallelism())
            .startNewChain());
  }

  private Outputs build(
      StreamExecutionEnvironment env, SingleOutputStreamOperator<Received> examples) {
    var replicas = replicas(env, examples);
    var coordinator = coordinator(replicas);
    DataStream<BlockMessage> toBlocks =
        settings.coordinator().gathers()
            ? replicas.union(gatherers(replicas, coordinator))
            : replicas;
    var exchange = exchange(env, toBlocks, coordinator);
    var feedback = feedback(exchange, coordinator);
    DataStream<String> measured = publisher(env, parts(exchange, coordinator), replicas);
    DataStream<String> nothing = feedback.getSideOutput(NOTHING);
    List<DataStream<OutputRecord>> written = new ArrayList<>();
    for (SideLoop loop : settings.loops()) {
      SideLoop.Ends ends = loop.add(replicas, coordinator, this::name, coLocation(), faults);
      nothing = nothing.union(ends.nothing());
      written.addAll(ends.written());
      for (DataStream<String> records : ends.measured()) {
        measured = measured.union(records);
      }
    }
    return new Outputs(
        replicas.getSideOutput(ReplicaOutputs.REJECTED),
        new MetricStream(settings, prefix).of(replicas, coordinator, measured),
        nothing,
        written);
  }

  private OperatorName name(OperatorName name) {
    return name.of(prefix);
  }

  private String coLocation() {
    return name(TrainingOperators.CO_LOCATION).uid();
  }

  /**
   * A round is a few messages there and back: each waits for no other. Measured, at a model of 0.1
   * MB: 0.5 ms a round, against 200 ms with Flink's default of 100 ms.
   */
  private static <T> SingleOutputStreamOperator<T> atOnce(SingleOutputStreamOperator<T> operator) {
    return operator.setBufferTimeout(0);
  }

  private SingleOutputStreamOperator<BlockMessage> replicas(
      StreamExecutionEnvironment env, SingleOutputStreamOperator<Received> examples) {
    // Flink reads the key at the head of a chain only, and the replica is chained behind the
    // examples.
    examples.getTransformation().setCoLocationGroupKey(coLocation());
    return atOnce(
        name(TrainingOperators.REPLICA)
            .on(
                examples.transform(
                    TrainingOperators.REPLICA.uid(),
                    WireType.BLOCK_MESSAGE,
                    new ReplicaOperator(
                        settings.replica(),
                        transport.send(settings.initial(), env, prefix),
                        faults))));
  }

  private SingleOutputStreamOperator<Decision> coordinator(
      SingleOutputStreamOperator<BlockMessage> replicas) {
    return atOnce(
            name(TrainingOperators.COORDINATOR)
                .on(
                    replicas
                        .getSideOutput(ReplicaOutputs.COORDINATOR)
                        .global()
                        .transform(
                            TrainingOperators.COORDINATOR.uid(),
                            WireType.DECISION,
                            new CoordinatorOperator(settings.coordinator(), faults))))
        .setParallelism(1)
        .setMaxParallelism(1);
  }

  /** One in the slot of each replica. Those that share a process with a lower one have no work. */
  private DataStream<BlockMessage> gatherers(
      SingleOutputStreamOperator<BlockMessage> replicas,
      SingleOutputStreamOperator<Decision> coordinator) {
    SingleOutputStreamOperator<BlockMessage> gatherers =
        name(TrainingOperators.GATHERER)
            .on(
                replicas
                    .getSideOutput(ReplicaOutputs.GATHERED)
                    .partitionCustom((gatherer, all) -> gatherer, ToGatherer::gatherer)
                    .connect(
                        coordinator
                            .getSideOutput(ExchangeOutputs.ORDERS)
                            .partitionCustom((gatherer, all) -> gatherer, GatherOrder::gatherer))
                    .transform(
                        TrainingOperators.GATHERER.uid(),
                        WireType.BLOCK_MESSAGE,
                        new GatherOperator(
                            settings.replica().layout(),
                            settings.aggregator(),
                            faults.handsOver(),
                            faults)));
    gatherers.getTransformation().setCoLocationGroupKey(coLocation());
    return atOnce(gatherers);
  }

  private SingleOutputStreamOperator<Delivery> exchange(
      StreamExecutionEnvironment env,
      DataStream<BlockMessage> replicas,
      DataStream<Decision> coordinator) {
    BlockLayout layout = settings.replica().layout();
    int keyGroups = env.getMaxParallelism() > 0 ? env.getMaxParallelism() : KEY_GROUPS;
    BlockKeys keys = new BlockKeys(layout.count(), keyGroups);
    Aggregator aggregator = settings.aggregator();
    ServerOptimizer optimizer = settings.serverOptimizer();
    FeedbackCodecs feedback = settings.feedback();
    Averaging averaging = settings.averaging();
    return atOnce(
            name(TrainingOperators.EXCHANGE)
                .on(
                    replicas
                        .keyBy(message -> keys.keyOf(message.block()), Types.INT)
                        .connect(
                            coordinator.keyBy(decision -> keys.keyOf(decision.block()), Types.INT))
                        .transform(
                            TrainingOperators.EXCHANGE.uid(),
                            WireType.DELIVERY,
                            new ExchangeOperator(
                                keys,
                                () ->
                                    new Combiner(
                                        layout, aggregator, optimizer, feedback, averaging),
                                settings.coordinator().publication().plan().checkpoints(),
                                faults.handsOver(),
                                faults))))
        // A subtask without a block would have nothing to do.
        .setParallelism(Math.min(keyGroups, Math.min(env.getParallelism(), layout.count())))
        .setMaxParallelism(keyGroups);
  }

  private SingleOutputStreamOperator<Void> feedback(
      DataStream<Delivery> exchange, SingleOutputStreamOperator<Decision> coordinator) {
    SingleOutputStreamOperator<Void> feedback =
        name(TrainingOperators.FEEDBACK)
            .on(
                exchange
                    .partitionCustom((sink, sinks) -> sink, Delivery::sink)
                    .connect(
                        coordinator
                            .getSideOutput(ExchangeOutputs.HEADS)
                            .partitionCustom((sink, sinks) -> sink, HeadDelivery::sink))
                    .transform(
                        TrainingOperators.FEEDBACK.uid(),
                        Types.VOID,
                        new FeedbackOperator(
                            settings.replica().layout(),
                            settings.feedback().sendChanges(),
                            faults)));
    feedback.getTransformation().setCoLocationGroupKey(coLocation());
    return feedback;
  }

  private static DataStream<PublishedPart> parts(
      SingleOutputStreamOperator<Delivery> exchange,
      SingleOutputStreamOperator<Decision> coordinator) {
    return exchange
        .getSideOutput(ExchangeOutputs.PUBLISHED)
        .union(coordinator.getSideOutput(ExchangeOutputs.PUBLISHED));
  }

  /** Models are whole there alone, so what is measured by segment is measured there, too. */
  private SingleOutputStreamOperator<String> publisher(
      StreamExecutionEnvironment env,
      DataStream<PublishedPart> parts,
      SingleOutputStreamOperator<BlockMessage> replicas) {
    return name(TrainingOperators.PUBLISHER)
        .on(
            parts
                .global()
                .connect(replicas.getSideOutput(ReplicaOutputs.HELD_OUT).global())
                .transform(
                    TrainingOperators.PUBLISHER.uid(),
                    Types.STRING,
                    new PublisherOperator(
                        settings.publisher(),
                        settings.replica().examples().segments(),
                        new PlannedCheckpoints(
                            env.getCheckpointConfig().isCheckpointingEnabled()))))
        .setParallelism(1)
        .setMaxParallelism(1);
  }
}
