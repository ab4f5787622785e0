package dev.millrace.exchange.flink.wire;

import dev.millrace.exchange.drift.Drift;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import org.apache.flink.util.OutputTag;

/** Side outputs of coordinator and exchange. */
public final class ExchangeOutputs {

  /** From the coordinator to one feedback sink of each process. */
  public static final OutputTag<HeadDelivery> HEADS =
      new OutputTag<>("heads", WireType.HEAD_DELIVERY);

  /** From the coordinator to gatherers, where there are any. */
  public static final OutputTag<GatherOrder> ORDERS =
      new OutputTag<>("orders", WireType.GATHER_ORDER);

  /** From coordinator and exchange to the publisher. */
  public static final OutputTag<PublishedPart> PUBLISHED =
      new OutputTag<>("published", WireType.PUBLISHED_PART);

  /** From the coordinator to metrics. */
  public static final OutputTag<RoundReport> REPORTS =
      new OutputTag<>("reports", WireType.ROUND_REPORT);

  /** From the coordinator to metrics, where timelines are asked for. */
  public static final OutputTag<RoundTimeline> TIMELINES =
      new OutputTag<>("timelines", WireType.ROUND_TIMELINE);

  /** From the coordinator to metrics, where drifts are looked for. */
  public static final OutputTag<Drift> DRIFTS = new OutputTag<>("drifts", WireType.DRIFT);

  /** From the coordinator to metrics. */
  public static final OutputTag<JobEvent> EVENTS = new OutputTag<>("events", WireType.JOB_EVENT);

  private ExchangeOutputs() {}
}
