package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.console.Screen;
import dev.millrace.cli.progress.MetricsLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** What the screen says at the end of a run. */
class RunReportTest {

  private final RunHistory history = new RunHistory();

  @Test
  void aRunWithoutRejectedRecordsSaysNothingOfThem() {
    progress(0, null);

    assertThat(shown(Map.of())).doesNotContain("ejected", "efused", "dead-letter");
  }

  @Test
  void rejectedRecordsAreCountedAndTheirTopicIsNamed() {
    progress(2, null);
    progress(1_012, null);

    assertThat(shown(Map.of("dead-letter.topic", "letters")))
        .contains("Rejected:    1,012 of 21,012 records; the topic letters says which, and why")
        .doesNotContain("Refused");
    assertThat(shown(Map.of()))
        .contains(
            "Rejected:    1,012 of 21,012 records; set dead-letter.topic to learn which, and why");
  }

  @Test
  void refusedContributionsAreToldWithTheNewestReason() {
    progress(12, new MetricsLine.Refused(1, 12, "feature 3 has a mean of 5"));
    progress(108, new MetricsLine.Refused(2, 96, "values that exploded"));

    assertThat(shown(Map.of()))
        .contains("Rejected:    108 of 20,108 records;")
        .contains(
            "Refused:     2 contributions, made of 96 of these records; the last:"
                + " values that exploded");
  }

  @Test
  void aDriftIsCountedOnceHoweverOftenItIsFound() {
    progress(0, null);
    drift(20_136, true);
    drift(20_160, false);
    drift(20_136, true);
    assertThat(shown(Map.of())).contains("Drifts:      1; the last after 20,136 examples");

    drift(31_000, true);
    assertThat(shown(Map.of())).contains("Drifts:      2; the last after 31,000 examples");
  }

  private void drift(long examples, boolean reacted) {
    history.add(new MetricsLine.Drift(0, 1, examples, "adwin", 0.1, 0.3, null, reacted));
  }

  private void progress(long rejected, MetricsLine.Refused refused) {
    history.add(
        new MetricsLine.Progress(
            0, 1, 7, 20_000, rejected, refused, 0.5, 1.0, 0.5, 1.0, null, null, null, null));
  }

  private String shown(Map<String, String> options) {
    StringWriter written = new StringWriter();
    PrintWriter out = new PrintWriter(written);
    new RunReport(history, RunReport.inDeadLetters(Configuration.fromMap(options)))
        .show(new Screen(out, 0));
    out.flush();
    return written.toString();
  }
}
