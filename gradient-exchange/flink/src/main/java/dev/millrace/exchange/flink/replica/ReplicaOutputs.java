package dev.millrace.exchange.flink.replica;

import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.confusion.ConfusionReport;
import dev.millrace.exchange.flink.gather.ToGatherer;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.exchange.layer.LayersReport;
import dev.millrace.exchange.process.ReplicaReport;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.segment.HeldOutExample;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/** Side outputs of the replicas. */
public final class ReplicaOutputs {

  /** The output to the coordinator. */
  public static final OutputTag<CoordinatorMessage> COORDINATOR =
      new OutputTag<>("coordinator", WireType.COORDINATOR_MESSAGE);

  /** Contributions, to a gatherer; where there is none they go to the blocks. */
  public static final OutputTag<ToGatherer> GATHERED =
      new OutputTag<>("gathered", WireType.TO_GATHERER);

  /** The output to where models are measured by examples that none learns from. */
  public static final OutputTag<HeldOutExample> HELD_OUT =
      new OutputTag<>("held-out", WireType.HELD_OUT);

  /** The layers' output to metric records. */
  public static final OutputTag<LayersReport> LAYERS = new OutputTag<>("layers", WireType.LAYERS);

  /** The confusion's output to metric records. */
  public static final OutputTag<ConfusionReport> CONFUSION =
      new OutputTag<>("confusion", WireType.CONFUSION);

  /** The output of each replica's reports to metric records. */
  public static final OutputTag<ReplicaReport> REPORTS =
      new OutputTag<>("replica-reports", WireType.REPLICA_REPORT);

  /** The output to the dead-letter topic. */
  public static final OutputTag<RejectedRecord> REJECTED =
      new OutputTag<>("rejected", TypeInformation.of(RejectedRecord.class));

  /**
   * Returns the output of a hook to its own part of the job.
   *
   * @param hook as {@link HookMessage#hook} names it
   */
  public static <T extends HookMessage> OutputTag<T> hook(String hook, TypeInformation<T> type) {
    return new OutputTag<>("hook-" + hook, type);
  }

  private ReplicaOutputs() {}
}
