package dev.millrace.job.join;

import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.MillraceMetrics;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Lets records pass that can be joined, and puts the others aside. */
final class SortingFunction extends ProcessFunction<JoinRecord, JoinRecord> {

  /** Records that can't be joined. */
  static final OutputTag<RejectedRecord> REJECTED =
      new OutputTag<>("rejected", TypeInformation.of(RejectedRecord.class));

  private transient JoinMetrics metrics;

  @Override
  public void open(OpenContext context) {
    metrics =
        new JoinMetrics(
            getRuntimeContext(),
            MillraceMetrics.of(getRuntimeContext().getMetricGroup()),
            JoinMetrics.Count.REJECTED);
  }

  @Override
  public void processElement(JoinRecord record, Context context, Collector<JoinRecord> out) {
    if (record.isUsable()) {
      out.collect(record);
    } else {
      metrics.count(JoinMetrics.Count.REJECTED);
      context.output(REJECTED, record.rejected(record.problem()));
    }
  }
}
