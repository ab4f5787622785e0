package dev.millrace.job.testing;

import dev.millrace.example.RejectedRecord;
import dev.millrace.job.evaluate.report.EvaluationReport;
import dev.millrace.job.evaluate.report.Findings;
import dev.millrace.job.evaluate.report.ReportSubject;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;

/** Reports of evaluations: of three examples, of which one isn't usable, and a rejected record. */
public final class Reports {

  private Reports() {}

  public static EvaluationReport of(Target target) {
    ReportSubject subject = subject(target);
    Findings findings = Findings.none(subject.shape());
    findings
        .evaluation()
        .add(
            new float[] {0.25f, 0.75f, 0.25f, 0.75f, Float.NaN, 0},
            new float[] {1, 0, 0, 1, 1, 0},
            3);
    findings
        .rejected()
        .add(
            new RejectedRecord(
                new Partition("animals", 3), 17, 0, null, null, "2 features expected, 1 found"));
    return EvaluationReport.of(subject, findings);
  }

  public static EvaluationReport ofNoExample(Target target) {
    ReportSubject subject = subject(target);
    return EvaluationReport.of(subject, Findings.none(subject.shape()));
  }

  private static ReportSubject subject(Target target) {
    return new ReportSubject(
        model(),
        new ReportSubject.Data("topic:animals", null),
        new ExampleShape(2, 2, target),
        List.of("<cat> & \"dog\"", "emu"));
  }

  public static ReportSubject.Model model() {
    return new ReportSubject.Model(
        "models/model-2.300.zip", "2.300", "dl4j", "MultiLayerNetwork", 30, true);
  }
}
