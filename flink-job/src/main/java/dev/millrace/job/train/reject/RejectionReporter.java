package dev.millrace.job.train.reject;

import dev.millrace.example.RejectedRecord;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Tells of {@link RejectionCounts} in metric records: an interval after the first record that
 * wasn't learned, and so on while there are more. Counts are those of an attempt; the ledger has
 * those of the model.
 */
public final class RejectionReporter extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<Rejection, String>, BoundedOneInput {

  private final Duration interval;

  private transient RejectionCounts counts;
  private transient boolean isDue;

  RejectionReporter(Duration interval) {
    this.interval = interval;
  }

  /**
   * Adds it to a graph.
   *
   * @param name of the operator, and its uid
   */
  public static SingleOutputStreamOperator<String> of(
      DataStream<RejectedRecord> rejected, Duration interval, String name) {
    // Where the records are: what they hold needn't travel.
    String reasons = name + "-reasons";
    return rejected
        .map(Rejection::of)
        .returns(Rejection.type())
        .name(reasons)
        .uid(reasons)
        .global()
        .transform(name, Types.STRING, new RejectionReporter(interval));
  }

  @Override
  public void open() throws Exception {
    super.open();
    counts = new RejectionCounts();
  }

  @Override
  public void processElement(StreamRecord<Rejection> element) {
    counts.add(element.getValue());
    if (!isDue) {
      isDue = true;
      ScheduledFuture<?> unused =
          getProcessingTimeService()
              .registerTimer(
                  getProcessingTimeService().getCurrentProcessingTime() + interval.toMillis(),
                  time -> tell());
    }
  }

  @Override
  public void endInput() {
    tell();
  }

  private void tell() {
    if (isDue) {
      isDue = false;
      output.collect(
          new StreamRecord<>(counts.record(getProcessingTimeService().getCurrentProcessingTime())));
    }
  }
}
