package dev.millrace.simulate.task;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

/** The output of an operator: what is chained behind it, or the ways out of the task. */
final class TaskOutput<T> implements Output<StreamRecord<T>> {

  private final Chain chain;
  private final int next;

  /**
   * @param next place in the chain that records go to
   */
  TaskOutput(Chain chain, int next) {
    this.chain = chain;
    this.next = next;
  }

  @Override
  public void collect(StreamRecord<T> record) {
    chain.forward(next, record);
  }

  @Override
  public <X> void collect(OutputTag<X> tag, StreamRecord<X> record) {
    chain.side(tag, record);
  }

  @Override
  public void emitWatermark(Watermark mark) {
    // Nothing in the job goes by the time of events.
  }

  @Override
  public void emitWatermark(WatermarkEvent mark) {
    // As above.
  }

  @Override
  public void emitWatermarkStatus(WatermarkStatus status) {
    // As above.
  }

  @Override
  public void emitLatencyMarker(LatencyMarker marker) {
    // Nobody measures.
  }

  @Override
  public void emitRecordAttributes(RecordAttributes attributes) {
    // There are none.
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
