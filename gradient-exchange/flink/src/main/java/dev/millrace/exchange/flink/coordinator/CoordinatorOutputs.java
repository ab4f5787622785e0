package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.RoundMaker;
import dev.millrace.exchange.round.RoundReport;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Where the coordinator speaks: to blocks, replicas, the publisher, and whoever wants to know how
 * far training has come.
 *
 * <p>Not thread-safe: for the task's thread.
 */
final class CoordinatorOutputs {

  private final int blocks;
  private final boolean timeline;
  private final FaultInjector faults;
  private final Output<StreamRecord<Decision>> output;
  private final ReportInterval reports;

  CoordinatorOutputs(
      CoordinatorSettings settings,
      FaultInjector faults,
      Output<StreamRecord<Decision>> output,
      ProcessingTimeService time) {
    this.blocks = settings.start().model().layout().count();
    this.timeline = settings.reports().timeline();
    this.faults = faults;
    this.output = output;
    this.reports = new ReportInterval(settings.reports().interval(), time, this::report);
  }

  /** Emits a head to replicas of one process. */
  void head(HeadDelivery head) {
    emit(ExchangeOutputs.HEADS, head);
  }

  /** Emits decisions to every block. */
  void decide(ClosedRound round, boolean publish) {
    for (Decision decision : round.decisions(blocks, publish)) {
      faults.reach(Place.DECISION, 0);
      output.collect(new StreamRecord<>(decision));
    }
  }

  /** Emits an order to one gatherer. */
  void order(GatherOrder order) {
    emit(ExchangeOutputs.ORDERS, order);
  }

  void publish(PublishedPart.Head head) {
    emit(ExchangeOutputs.PUBLISHED, head);
  }

  /** Tells of a round, at most as often as the settings say. */
  void made(RoundMaker.Made made) {
    if (timeline) {
      emit(ExchangeOutputs.TIMELINES, made.timeline());
    }
    reports.add(made.report());
  }

  /** Reports how far training has come when a contribution was refused, as often as of rounds. */
  void refused(RoundReport report) {
    reports.add(report);
  }

  /** Tells of rounds and refusals as of now. */
  void flushReports() {
    reports.flush();
  }

  void happened(JobEvent event) {
    emit(ExchangeOutputs.EVENTS, event);
  }

  /** Adds to the training log. */
  void log(LogEntry entry) {
    emit(ExchangeOutputs.LOG, entry);
  }

  /** A report that doesn't wait. */
  void report(RoundReport report) {
    emit(ExchangeOutputs.REPORTS, report);
  }

  private <T> void emit(OutputTag<T> side, T value) {
    output.collect(side, new StreamRecord<>(value));
  }
}
