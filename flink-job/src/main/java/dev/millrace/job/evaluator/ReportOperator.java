package dev.millrace.job.evaluator;

import dev.millrace.job.evaluation.Findings;
import dev.millrace.job.report.EvaluationReport;
import dev.millrace.job.report.ReportSubject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Merges what the evaluators have found and writes the report when all have ended. Runs at
 * parallelism 1; emits where the report's files are.
 */
final class ReportOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<byte[], String>, BoundedOneInput {

  private final ReportSubject subject;
  private final ReportPlaces places;

  private transient Findings findings;

  ReportOperator(ReportSubject subject, ReportPlaces places) {
    this.subject = subject;
    this.places = places;
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
    EvaluationReport report = EvaluationReport.of(subject, findings);
    Map<String, String> files = new LinkedHashMap<>();
    if (places.json() != null) {
      files.put(places.json(), report.toJson());
    }
    if (places.page() != null) {
      files.put(places.page(), report.toPage());
    }
    WholeFiles.write(files);
    for (String file : files.keySet()) {
      LOG.info("The evaluation is in {}", file);
      output.collect(new StreamRecord<>(file));
    }
  }
}
