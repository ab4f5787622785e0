package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.cli.CommandRun;
import dev.millrace.cli.RestoredProperties;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.JoinedRecords;
import dev.millrace.kafka.testing.LateLabels;
import dev.millrace.kafka.testing.LateLabels.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace join}, from a file of options to the topic and the figures. */
@Tag("slow")
class JoinCommandIT {

  private static final int PARTITIONS = 2;

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @TempDir Path directory;

  @Test
  void joinsToTheEndOfTheInputAndTellsTheFigures() throws Exception {
    KafkaCluster kafka = Broker.cluster();
    LateLabels source = new LateLabels(17, 800, PARTITIONS);
    String features = Broker.topic("features", PARTITIONS);
    String labels = Broker.topic("labels", PARTITIONS);
    String output = Broker.topic("joined", 1);
    source.send(kafka, features, labels, source.size());
    Path config =
        Files.write(
            directory.resolve("join.yaml"),
            List.of(
                "kafka.bootstrap.servers: " + kafka.bootstrapServers(),
                "kafka.group.id: " + output,
                "join:",
                "  features.topics: [" + features + "]",
                "  labels.topics: [" + labels + "]",
                "  label: verdict.class",
                "  within: %s ms".formatted(LateLabels.WITHIN.toMillis()),
                "  output.topic: " + output,
                "input.bounded: true"));
    Path summary = directory.resolve("summary.json");
    CommandRun run = new CommandRun();

    int code =
        run.execute(
            "join",
            "--config",
            config,
            "--parallelism",
            "1",
            "--work-dir",
            directory.resolve("work"),
            "--summary",
            summary);

    assertThat(code).as("%s %s", run.out, run.err).isZero();
    assertThat(run.out.toString())
        .contains("Joined in ", "%s pairs".formatted(source.count(Kind.PAIR)));
    JsonNode figures = new ObjectMapper().readTree(summary.toFile());
    assertThat(figures.get("pairs").asLong()).isEqualTo(source.count(Kind.PAIR));
    assertThat(figures.get("late").asLong())
        .isEqualTo(source.count(Kind.LATE) + source.count(Kind.ALONE));
    assertThat(figures.get("duplicates").asLong()).isEqualTo(source.duplicates());
    assertThat(figures.get("unlabelled").asLong())
        .isEqualTo(source.count(Kind.LATE) + source.count(Kind.UNLABELLED));
    try (JoinedRecords joined = new JoinedRecords(kafka, output, source)) {
      assertThat(joined.allPairs()).isEqualTo(source.count(Kind.PAIR));
      assertThat(joined.faults()).isEmpty();
    }
  }
}
