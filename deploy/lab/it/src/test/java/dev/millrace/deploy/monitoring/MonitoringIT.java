package dev.millrace.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.monitoring.Monitoring.Query;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What deploy's monitoring asks for, against a job that runs. */
class MonitoringIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(250);
  private static final int CONTRIBUTION = MonitoredJob.EXCHANGED * Float.BYTES;

  @TempDir private static Path directory;

  private static MonitoredJob job;

  @BeforeAll
  static void start() throws Exception {
    job = MonitoredJob.start(directory);
    await()
        .atMost(LIMIT)
        .pollInterval(POLL)
        .until(() -> job.scrape().greatest(Monitoring.OWN + "rounds") > 10);
  }

  @AfterAll
  static void stop() {
    if (job != null) {
      job.close();
    }
  }

  @Test
  void everyMetricThatIsAskedForIsThere() throws IOException {
    Set<String> asked = new TreeSet<>();
    for (Query query : Monitoring.allQueries()) {
      asked.addAll(query.metrics());
    }
    // Prometheus' own.
    asked.remove("up");

    await()
        .atMost(LIMIT)
        .pollInterval(POLL)
        .untilAsserted(
            () -> assertThat(without(asked, job.scrape().names())).as("not scraped").isEmpty());
  }

  @Test
  void theMetricsAreThoseThatTheDocumentsName() throws Exception {
    Set<String> documented = Monitoring.documented();
    await()
        .atMost(LIMIT)
        .pollInterval(POLL)
        .untilAsserted(
            () -> {
              Set<String> scraped = job.scrape().ownNames();
              assertThat(without(scraped, documented)).as("not documented").isEmpty();
              assertThat(without(documented, scraped)).as("not scraped").isEmpty();
            });
  }

  @Test
  void theMetricsTellWhatTheJobDoes() {
    await()
        .atMost(LIMIT)
        .pollInterval(POLL)
        .untilAsserted(
            () -> {
              Scrape scrape = job.scrape();
              assertThat(own(scrape, "examples")).isPositive();
              assertThat(own(scrape, "rejected")).isPositive();
              assertThat(own(scrape, "learnedRecords"))
                  .isGreaterThan(own(scrape, "rejectedRecords"));
              assertThat(own(scrape, "rejectedRecords")).isPositive();
              assertThat(own(scrape, "generation")).isZero();
              assertThat(own(scrape, "members")).isBetween(1.0, 2.0);
              assertThat(own(scrape, "staleness")).isBetween(0.0, 1.0);
              assertThat(own(scrape, "divergence")).isBetween(1e-6, 1.0);
              assertThat(own(scrape, "roundLatencyMicros")).isBetween(100.0, 30e6);
              assertThat(own(scrape, "waitingMillis")).isPositive();
              assertThat(own(scrape, "prequentialAccuracy")).isBetween(0.5, 1.0);
              assertThat(own(scrape, "prequentialLoss")).isBetween(0.0, 2.0);
              assertThat(own(scrape, "checkpointAgeMillis")).isLessThan(30_000);
              assertThat(own(scrape, "predictions")).isGreaterThan(own(scrape, "batches"));
              assertThat(own(scrape, "scoringRejected")).isPositive();
              assertThat(own(scrape, "servedRound")).isPositive();
              assertThat(own(scrape, "modelSwaps")).isPositive();
              assertThat(own(scrape, "refusedModels")).isZero();
              assertThat(own(scrape, "modelAgeMillis")).isBetween(0.0, 30_000.0);
              assertThat(own(scrape, "latencyMillis")).isNotNegative();
            });
  }

  /**
   * A job goes on while it is scraped: two metrics of one scrape are of two moments. What one says
   * lies between what the other said in the scrape before and says in the one after.
   */
  @Test
  void theMetricsAgreeWithEachOther() throws Exception {
    Scrape before = job.scrape();
    Scrape scrape = job.scrape();
    Scrape after = job.scrape();

    assertThat(own(scrape, "round")).isBetween(own(before, "rounds"), own(after, "rounds"));
    // A contribution's bytes are counted block by block, and it when all of them are sent.
    assertThat(own(scrape, "contributionBytes") / CONTRIBUTION)
        .isBetween(own(before, "contributions"), own(after, "contributions") + 1);
    // The last round may be under way to the replicas.
    assertThat(after.sum(Monitoring.OWN + "feedbackBytes"))
        .isGreaterThanOrEqualTo((own(before, "rounds") - 1) * CONTRIBUTION);
  }

  @Test
  void prometheusAnswersWhatPanelsAndAlertsAsk() throws Exception {
    Optional<Program> program = Program.find("prometheus");
    assumeTrue(program.isPresent(), "There is no prometheus on the PATH");
    try (PrometheusServer prometheus =
        PrometheusServer.start(
            program.orElseThrow(), directory.resolve("prometheus"), job.target())) {
      await()
          .atMost(LIMIT)
          .pollInterval(POLL)
          .untilAsserted(() -> assertThat(panelsWithout(prometheus)).isEmpty());
      // Once it has been watched for a while: a second without a round is none within memory.
      await()
          .atMost(LIMIT)
          .pollInterval(POLL)
          .untilAsserted(
              () -> assertThat(firing(prometheus)).as("alerts of a job that is well").isEmpty());
      assertThat(prometheus.ask("/api/v1/rules").findValuesAsText("health"))
          .hasSize(Monitoring.alerts().size())
          .containsOnly("ok");
      // One scrape may have failed, on a machine that is busy.
      await()
          .atMost(LIMIT)
          .pollInterval(POLL)
          .untilAsserted(() -> assertThat(targets(prometheus)).containsExactly("up"));
    }
  }

  private static List<String> targets(PrometheusServer prometheus) throws Exception {
    return prometheus.ask("/api/v1/targets").at("/data/activeTargets").findValuesAsText("health");
  }

  /** Panels' queries that give no number. */
  private static List<String> panelsWithout(PrometheusServer prometheus) throws Exception {
    List<String> without = new ArrayList<>();
    for (Query query : Monitoring.panelQueries()) {
      String expression =
          query.expression().replace("$__rate_interval", "10s").replace("$job", ".*");
      JsonNode answer = prometheus.query(expression);
      assertThat(answer.path("status").asText())
          .as("%s: %s", query.where(), answer)
          .isEqualTo("success");
      if (!hasNumber(answer)) {
        without.add(query.where());
      }
    }
    return without;
  }

  private static boolean hasNumber(JsonNode answer) {
    for (JsonNode series : answer.at("/data/result")) {
      if (!series.at("/value/1").asText().equals("NaN")) {
        return true;
      }
    }
    return false;
  }

  private static List<String> firing(PrometheusServer prometheus) throws Exception {
    List<String> firing = new ArrayList<>();
    for (Query query : Monitoring.alertQueries()) {
      JsonNode answer = prometheus.query(query.expression());
      assertThat(answer.path("status").asText())
          .as("%s: %s", query.where(), answer)
          .isEqualTo("success");
      if (!answer.at("/data/result").isEmpty()) {
        firing.add(query.where() + ": " + answer);
      }
    }
    return firing;
  }

  private static Set<String> without(Set<String> names, Set<String> others) {
    Set<String> rest = new TreeSet<>(names);
    rest.removeAll(others);
    return rest;
  }

  private static double own(Scrape scrape, String name) {
    return scrape.greatest(Monitoring.OWN + name);
  }
}
