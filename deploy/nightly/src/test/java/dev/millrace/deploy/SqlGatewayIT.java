package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.deploy.SqlGateway.Client;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * ML_PREDICT by Flink's SQL client and gateway, on a cluster of processes that know the job's jar
 * by ADD JAR alone.
 */
class SqlGatewayIT {

  private static final int ROWS = 4_000;

  /** A row as the client prints it: what is asked for, and what the model tells. */
  private static final Pattern ROW =
      Pattern.compile("\\| \\+I \\| +(\\d+) \\| +\\[([\\d.]+), ([\\d.]+)] \\| +1\\.(\\d+) \\|");

  private static Path directory;
  private static LocalCluster cluster;
  private static SqlGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    directory = Distribution.workDirectory("sql");
    Installation installation = Distribution.withSql();
    cluster = new LocalCluster(installation, new ClusterFiles(directory.resolve("cluster")));
    cluster.start(TestCluster.plan(1, false, TestCluster.shortLived()));
    gateway = new SqlGateway(installation, cluster.files().conf(), directory.resolve("gateway"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (gateway != null) {
      gateway.close();
    }
    cluster.stop();
  }

  @Test
  void aQueryTakesOverEachModelThatIsPublished() throws Exception {
    Path models = Files.createDirectories(directory.resolve("models"));
    TellingModels.publish(models, 1);

    Client client = gateway.run("query", script(models, "`values` ARRAY<FLOAT>, version STRING"));
    long published = 1;
    while (published < 4) {
      long served = published;
      await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(100))
          .until(() -> client.printed().contains(" 1.%d |".formatted(served)) || hasEnded(client));
      TellingModels.publish(models, ++published);
    }
    client.awaitEnd();

    String printed = client.printed();
    Matcher rows = ROW.matcher(printed);
    int count = 0;
    long newest = 0;
    while (rows.find()) {
      assertThat(rows.group(2)).isEqualTo(rows.group(1) + ".0");
      assertThat(rows.group(3)).isEqualTo(rows.group(4) + ".0");
      long version = Long.parseLong(rows.group(4));
      assertThat(version).isGreaterThanOrEqualTo(newest);
      newest = version;
      count++;
    }
    assertThat(count).as(printed).isEqualTo(ROWS);
    assertThat(newest).isEqualTo(4);
  }

  @Test
  void theClientSaysWhatIsWrongWithAModel() throws Exception {
    Client client = gateway.run("wrong", script(directory, "label STRING"));
    client.awaitEnd();

    assertThat(client.printed())
        .contains(
            "Output column 'label' is none of class, probabilities, scores, value, values, version");
  }

  private static boolean hasEnded(Client client) throws IOException {
    if (!client.process().isAlive()) {
      throw new AssertionError("The client has ended:\n" + client.printed());
    }
    return false;
  }

  /** About twenty seconds of rows. */
  private static String script(Path models, String output) {
    return String.join(
        ";\n",
        List.of(
            "SET 'sql-client.execution.result-mode' = 'tableau'",
            "ADD JAR '%s'".formatted(Distribution.jobJar()),
            "CREATE TABLE numbers (x BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '200',"
                + " 'fields.x.kind' = 'sequence', 'fields.x.start' = '1', 'fields.x.end' = '%d')"
                    .formatted(ROWS),
            "CREATE MODEL m INPUT (x BIGINT) OUTPUT (%s) WITH ('provider' = 'millrace', 'models' = '%s')"
                .formatted(output, models),
            "SELECT * FROM ML_PREDICT(TABLE numbers, MODEL m, DESCRIPTOR(x))",
            ""));
  }
}
