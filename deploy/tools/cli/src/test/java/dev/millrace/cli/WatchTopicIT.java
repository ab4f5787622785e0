package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.run.TopicWatch;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.watch.History;
import dev.millrace.watch.StaticPage;
import java.nio.file.Files;
import java.nio.file.Path;
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
