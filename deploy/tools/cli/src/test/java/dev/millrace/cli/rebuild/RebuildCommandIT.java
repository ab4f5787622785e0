package dev.millrace.cli.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CommandRun;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job on named fields, whose models are made again by the command. */
class RebuildCommandIT {

  private static final int PARTITIONS = 3;
  private static final int ROWS = 1_200;

  @TempDir static Path directory;

  private static final Pattern DIFFERENCE =
      Pattern.compile(
          "Version \\d+\\.(\\d+) isn't what was published: .* Version \\d+\\.(\\d+) is still the same");

  private static String log;
  private static Path config;
  private static Path models;
  private static String last;

  @BeforeAll
  static void train() throws Exception {
    LoggedFlows flows = LoggedFlows.produce(directory, ROWS, PARTITIONS);
    config = flows.config();
    log = flows.log();
    flows.job().run();
    models = flows.job().models();
    last = flows.job().description().version().toString();
    flows.write();
  }

  @Test
  void theModelIsWhatWasPublished() throws Exception {
    Path archive = directory.resolve("again.zip");

    String told = run(0, "rebuild", last, "--config", config, "--verify", "--to", archive);

    assertThat(told)
        .contains("Model " + last + " is made again, of 1,200 records")
        .contains("Each bit is as it was published, here and in");
    assertThat(archive).isNotEmptyFile();
    assertThat(run(0, "diff", models, archive)).contains("same");
  }

  @Test
  void aFileThatCannotBeWrittenIsToldBeforeAnythingIsRead() {
    Path archive = directory.resolve("nowhere").resolve("again.zip");

    assertThat(error(1, "rebuild", last, "--to", archive, "--rebuild.log", "nowhere"))
        .contains("again.zip can't be written: there is no directory");
  }

  @Test
  void aMinibatchThatEndsOneRecordSoonerIsFound() throws Exception {
    assertFound(line -> line.replaceFirst("\\+8(?=[* ])", "+7"));
  }

  /** The job has three replicas, since the sum of two is the same in either order. */
  @Test
  void twoMembersThatChangePlacesAreFound() throws Exception {
    assertFound(
        line ->
            line.replaceFirst(
                "\\[1,(\\d+),(\"[^\"]*\")\\],\\[2,(\\d+),(\"[^\"]*\")\\]", "[1,$1,$4],[2,$3,$2]"));
  }

  @Test
  void aModelThatWasntTakenInIsFound() throws Exception {
    assertFound(line -> line.replaceFirst("b\\d+(/[\\d,-]+)? ", ""));
  }

  @Test
  void aRecordThatIsMissingIsNamed() throws Exception {
    String altered = altered(line -> null);

    assertThat(error(1, "rebuild", last, "--config", config, "--rebuild.log", altered))
        .containsPattern("The log has no version \\d+\\.10, which version \\d+\\.11 goes on from");
  }

  @Test
  void aVersionThatIsNotThereIsTold() throws Exception {
    assertThat(error(1, "rebuild", "77.3", "--config", config))
        .contains("The log has no version 77.3");
  }

  /** In the tenth round. */
  private static void assertFound(UnaryOperator<String> fault) throws Exception {
    String altered = altered(fault);

    CommandRun run = new CommandRun();
    int exit =
        run.execute("rebuild", last, "--config", config, "--rebuild.log", altered, "--verify");

    assertThat(exit).as(run.out + "\n" + run.err).isIn(1, 3);
    if (exit == 3) {
      // Some rounds aren't published: the next was made too soon after them.
      Matcher told = DIFFERENCE.matcher(run.out.toString());
      assertThat(told.find()).as(run.out.toString()).isTrue();
      assertThat(Integer.parseInt(told.group(1))).isGreaterThanOrEqualTo(10);
      assertThat(Integer.parseInt(told.group(2))).isLessThan(10);
    } else {
      assertThat(run.err.toString()).containsPattern("'[^']*' |round 10|Replica \\d");
    }
  }

  /** Returns a log in which a fault has changed the entry of the tenth round. */
  private static String altered(UnaryOperator<String> fault) throws Exception {
    List<byte[]> values = new ArrayList<>();
    TopicValues.all(
        SourceSettings.of(Broker.cluster(), Topics.named(List.of(log))),
        Broker.LIMIT,
        value -> {
          String line = new String(value, StandardCharsets.UTF_8);
          if (line.matches("\\{\"version\":\"\\d+\\.10\",\"members.*")) {
            String changed = fault.apply(line);
            assertThat(changed).isNotEqualTo(line);
            line = changed;
          }
          if (line != null) {
            values.add(line.getBytes(StandardCharsets.UTF_8));
          }
        });
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, values);
    return topic;
  }

  private static String run(int exit, Object... words) {
    CommandRun run = new CommandRun();
    assertThat(run.execute(words)).as(run.err.toString()).isEqualTo(exit);
    return run.out.toString();
  }

  private static String error(int exit, Object... words) {
    CommandRun run = new CommandRun();
    assertThat(run.execute(words)).as(run.out.toString()).isEqualTo(exit);
    return run.err.toString();
  }
}
