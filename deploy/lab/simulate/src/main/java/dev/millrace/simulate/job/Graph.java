package dev.millrace.simulate.job;

import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.gather.ToGatherer;
import dev.millrace.exchange.flink.replica.ReplicaOutputs;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.job.train.publish.PublisherThread;
import dev.millrace.simulate.task.Task;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * The training job's graph, as {@link dev.millrace.job.train.TrainingTopology} builds it: the same
 * operators, ways and numbers of subtasks.
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

  private final JobOptions options;
  private final Input input;
  private final Operators operators;

  Graph(JobOptions options, Input input, Operators operators) {
    this.options = options;
    this.input = input;
    this.operators = operators;
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
    int blocks = operators.layout().count();
    subtasks.put(EXCHANGE, Math.min(KEY_GROUPS, Math.min(options.replicas(), blocks)));
    subtasks.put(FEEDBACK, options.replicas());
    subtasks.put(PUBLISHER, 1);
    return subtasks;
  }

  /**
   * Returns how many parts the state of one of its subtasks has: a replica's chain is headed by a
   * source, or by what parks the records of a stream.
   */
  static int parts(String vertex) {
    return vertex.equals(REPLICA) ? 2 : 1;
  }

  /** Gives a subtask what it runs. */
  void fill(Task task, boolean restored, Steps steps, PublisherThread worker) {
    operators.fill(task, subtasks().get(task.vertex()), restored, steps, worker);
  }

  /** Says how subtasks are connected. */
  void connect(Wires wires) {
    int subtasks = subtasks().get(EXCHANGE);
    if (input.isStream()) {
      int replicas = options.replicas();
      wires.connect(STREAM, null, Types.LONG, REPLICA, 1, record -> (int) (record % replicas));
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
      wires.connect(REPLICA, ReplicaOutputs.GATHERED, GATHERER, 1, ToGatherer::gatherer);
      wires.connect(COORDINATOR, ExchangeOutputs.ORDERS, GATHERER, 2, GatherOrder::gatherer);
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
    wires.connect(COORDINATOR, ExchangeOutputs.HEADS, FEEDBACK, 2, HeadDelivery::sink);
    wires.connect(EXCHANGE, null, WireType.DELIVERY, FEEDBACK, 1, delivery -> delivery.sink());
    wires.connect(EXCHANGE, ExchangeOutputs.PUBLISHED, PUBLISHER, 1, part -> 0);
    wires.connect(COORDINATOR, ExchangeOutputs.PUBLISHED, PUBLISHER, 1, part -> 0);
  }

  private int owner(int block, int subtasks) {
    for (int subtask = 0; subtask < subtasks; subtask++) {
      if (operators.keys().isOwned(block, subtask, subtasks)) {
        return subtask;
      }
    }
    throw new IllegalStateException("Nobody owns block " + block);
  }
}
