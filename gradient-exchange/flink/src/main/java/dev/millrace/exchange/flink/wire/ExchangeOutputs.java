package dev.millrace.exchange.flink.wire;

import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import org.apache.flink.util.OutputTag;

/** Side outputs of coordinator and exchange. */
public final class ExchangeOutputs {

  /** Heads, from the coordinator to one feedback sink of each process. */
  public static final OutputTag<HeadDelivery> HEADS =
      new OutputTag<>("heads", WireType.HEAD_DELIVERY);

  /** Orders, from the coordinator to gatherers, where there are any. */
  public static final OutputTag<GatherOrder> ORDERS =
      new OutputTag<>("orders", WireType.GATHER_ORDER);

  /** Parts of models, from coordinator and exchange to the publisher. */
  public static final OutputTag<PublishedPart> PUBLISHED =
      new OutputTag<>("published", WireType.PUBLISHED_PART);

  /** Reports, from the coordinator to metrics. */
  public static final OutputTag<RoundReport> REPORTS =
      new OutputTag<>("reports", WireType.ROUND_REPORT);

  /** Timelines, from the coordinator to metrics, where they are asked for. */
  public static final OutputTag<RoundTimeline> TIMELINES =
      new OutputTag<>("timelines", WireType.ROUND_TIMELINE);

  /** Events, from the coordinator to metrics. */
  public static final OutputTag<JobEvent> EVENTS = new OutputTag<>("events", WireType.JOB_EVENT);

  /** Entries of the training log, from the coordinator. */
  public static final OutputTag<LogEntry> LOG = new OutputTag<>("log", WireType.LOG_ENTRY);

  private ExchangeOutputs() {}
}
