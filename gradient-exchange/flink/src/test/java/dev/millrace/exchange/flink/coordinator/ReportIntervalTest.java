package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.NewestRound;
import dev.millrace.exchange.round.RefusedContributions;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.junit.jupiter.api.Test;

class ReportIntervalTest {

  private final ManualTime time = new ManualTime();
  private final List<Long> reported = new ArrayList<>();

  @Test
  void onePerIntervalAtMost() throws Exception {
    ReportInterval reports = reports(100);

    for (int round = 1; round <= 10; round++) {
      reports.add(report(round));
      time.advance(30);
    }

    assertThat(reported).as("at 0, 100, 200 and 300 ms").containsExactly(1L, 4L, 7L, 10L);
  }

  @Test
  void theNewestRoundIsReportedThoughNoOtherFollows() throws Exception {
    ReportInterval reports = reports(100);
    reports.add(report(1));
    reports.add(report(2));
    reports.add(report(3));

    time.advance(99);
    assertThat(reported).containsExactly(1L);
    time.advance(1);
    assertThat(reported).containsExactly(1L, 3L);
    time.advance(1000);
    assertThat(reported).containsExactly(1L, 3L);
  }

  @Test
  void whatWaitsIsHandedOnAtOnceWhereThatIsAskedFor() throws Exception {
    ReportInterval reports = reports(100);
    reports.add(report(1));
    reports.flush();
    assertThat(reported).as("nothing waited").containsExactly(1L);
    reports.add(report(2));
    time.advance(60);

    reports.flush();

    assertThat(reported).containsExactly(1L, 2L);
    reports.add(report(3));
    time.advance(99);
    assertThat(reported).as("the interval has begun again").containsExactly(1L, 2L);
    time.advance(1);
    assertThat(reported).containsExactly(1L, 2L, 3L);
  }

  @Test
  void withoutAnIntervalEachRoundIsReportedAtOnce() {
    ReportInterval reports = reports(0);

    for (int round = 1; round <= 3; round++) {
      reports.add(report(round));
    }

    assertThat(reported).containsExactly(1L, 2L, 3L);
  }

  private ReportInterval reports(long milliseconds) {
    return new ReportInterval(
        Duration.ofMillis(milliseconds), time, report -> reported.add(report.version().round()));
  }

  private RoundReport report(long round) {
    return new RoundReport(
        new ModelVersion(0, round),
        time.now,
        0,
        0,
        RefusedContributions.NONE,
        NewestRound.NONE,
        Measures.NONE,
        Measures.NONE);
  }

  private static final class ManualTime implements ProcessingTimeService {

    private final Map<Long, ProcessingTimeCallback> timers = new TreeMap<>();
    private long now = 1000;

    @Override
    public long getCurrentProcessingTime() {
      return now;
    }

    @Override
    public ScheduledFuture<?> registerTimer(long timestamp, ProcessingTimeCallback callback) {
      timers.put(timestamp, callback);
      return null;
    }

    void advance(long milliseconds) throws Exception {
      for (long end = now + milliseconds; now < end; ) {
        now++;
        ProcessingTimeCallback due = timers.remove(now);
        if (due != null) {
          due.onProcessingTime(now);
        }
      }
    }
  }
}
