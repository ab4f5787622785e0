package dev.millrace.job.evaluate;

import dev.millrace.job.evaluate.report.EvaluationReport;
import dev.millrace.job.evaluate.report.Findings;
import dev.millrace.job.evaluate.report.ReportSubject;
import java.io.IOException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Merges what the evaluators have found and writes the report when all have ended. Runs at
 * parallelism 1; emits where the report is.
 */
final class ReportOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<byte[], String>, BoundedOneInput {

  private final ReportSubject subject;
  private final String place;

  private transient Findings findings;

  ReportOperator(ReportSubject subject, String place) {
    this.subject = subject;
    this.place = place;
  }

  @Override
  public void open() throws Exception {
    super.open();
    findings = Findings.none(subject.shape());
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) throws IOException {
    findings.merge(Findings.of(element.getValue(), subject.shape()));
  }

  @Override
  public void endInput() throws IOException {
    AtomicFiles.write(place, EvaluationReport.of(subject, findings).toJson());
    LOG.info("The evaluation is in {}", place);
    output.collect(new StreamRecord<>(place));
  }
}
