package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.flink.replica.ReplicaOutputs;
import dev.millrace.exchange.flink.wire.WireType;
import dev.millrace.exchange.rows.RowHook;
import dev.millrace.exchange.rows.RowMessage;
import dev.millrace.exchange.rows.RowReport;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/** Names what embedding tables send between tasks. */
public final class RowOutputs {

  /** Pulls and pushes, from replicas to shards. */
  public static final OutputTag<RowMessage> MESSAGES =
      ReplicaOutputs.hook(RowHook.NAME, WireType.of(RowMessage.class, RowMessage.WIRE));

  /** Answers to replicas of other processes. */
  public static final TypeInformation<AddressedAnswer> ANSWERS =
      WireType.of(AddressedAnswer.class, AddressedAnswer.WIRE);

  /** Rows that others are to know. */
  public static final OutputTag<RowChange> CHANGES =
      new OutputTag<>("row-changes", WireType.of(RowChange.class, RowChange.WIRE));

  /** What tables are like, of each shard. */
  public static final OutputTag<RowReport> REPORTS =
      new OutputTag<>("row-reports", WireType.of(RowReport.class, RowReport.WIRE));

  private RowOutputs() {}
}
