package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.run.TopicWatch;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.TopicTail;
import dev.millrace.watch.History;
import dev.millrace.watch.MetricRecord;
import dev.millrace.watch.StaticPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real topic of metric records, of several partitions. */
class WatchTopicIT {

  private final CommandRun run = new CommandRun();

  @TempDir Path directory;

  @Test
  void aTopicIsReadFromItsBeginInTheOrderOfTime() throws Exception {
    String topic = Broker.topic("metrics", 2);
    Broker.write(topic, 0, progress(1_000, 0, 1), progress(3_000, 1, 9));
    Broker.write(topic, 1, "no json", progress(2_000, 0, 5));
    Path page = directory.resolve("page.html");

    assertThat(
            run.execute(
                "watch",
                "--metrics",
                topic,
                "--kafka.bootstrap.servers",
                Broker.cluster().bootstrapServers(),
                "--save",
                page))
        .as(run.err.toString())
        .isZero();

    String content = Files.readString(page);
    assertThat(content).contains("\"title\":\"" + topic + "\"").doesNotContain(", run 2");
    assertThat(content.indexOf("\"round\":5")).isLessThan(content.indexOf("\"round\":9"));
  }

  /** Each partition has more than is fetched at once, and one much less than the other. */
  @Test
  void aLongTopicIsReadInTheOrderOfTime() throws Exception {
    String topic = Broker.topic("metrics", 2);
    String[] many = new String[3_000];
    String[] few = new String[600];
    Arrays.setAll(many, i -> progress(1_000 + 10L * i, 0, 2L * i));
    Arrays.setAll(few, i -> progress(1_005 + 10L * i, 0, 2L * i + 1));
    Broker.write(topic, 0, many);
    Broker.write(topic, 1, few);

    List<Long> times = new ArrayList<>();
    try (TopicTail<ObjectNode> tail =
        TopicTail.open(
            Broker.cluster(),
            topic,
            Broker.LIMIT,
            new TopicTail.Reading<>(MetricRecord::parse, record -> record.path("time").asLong()))) {
      while (!tail.isAtEnd()) {
        List<ObjectNode> next = tail.next();
        assertThat(next).hasSizeLessThanOrEqualTo(500);
        next.forEach(record -> times.add(record.path("time").asLong()));
      }
    }

    assertThat(times).hasSize(many.length + few.length).isSorted();
  }

  @Test
  void whatComesLaterIsSeen() throws Exception {
    String topic = Broker.topic("metrics", 1);
    Broker.write(topic, 0, progress(1_000, 0, 1));
    History history = new History();
    try (TopicWatch watch = TopicWatch.start(Broker.cluster(), topic, history)) {
      assertThat(watch).isNotNull();
      Broker.write(topic, 0, progress(2_000, 0, 7));

      Path page = directory.resolve("page.html");
      await()
          .atMost(Broker.LIMIT)
          .until(
              () -> {
                StaticPage.write(history, page);
                return Files.readString(page).contains("\"round\":7");
              });
    }
  }

  @Test
  void aTopicThatIsntThereIsNamed() {
    assertThat(
            run.execute(
                "watch",
                "--metrics",
                "nowhere",
                "--kafka.bootstrap.servers",
                Broker.cluster().bootstrapServers(),
                "--save",
                directory.resolve("page.html")))
        .isNotZero();

    assertThat(run.err.toString()).contains("There is no topic 'nowhere'");
  }

  private static String progress(long time, long generation, long round) {
    return "{\"type\":\"progress\",\"time\":%s,\"generation\":%s,\"round\":%s,\"examples\":%s}"
        .formatted(time, generation, round, 32 * round);
  }
}
