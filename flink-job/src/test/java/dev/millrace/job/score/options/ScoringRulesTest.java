package dev.millrace.job.score.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoringRulesTest {

  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "kafka.bootstrap.servers", "localhost:9092",
              "input.features", "4",
              "input.outputs", "3",
              "scoring.topics", "flowers",
              "scoring.output-topic", "predictions",
              "scoring.models", "/models"));

  @Test
  void theSmallestRightOptionsPass() {
    assertThat(problems()).isEmpty();
  }

  @Test
  void modelsComeFromWhereTheyArePublishedUnlessAnotherPlaceIsNamed() {
    options.remove("scoring.models");
    options.put("snapshot.directory", "/models");

    assertThat(problems()).isEmpty();
  }

  @Test
  void whatIsForTrainingAloneIsNotUsed() {
    options.put("input.topics", "flowers");
    options.put("model.name", "mlp");
    options.put("model.configuration", "/nowhere.json");
    options.put("metrics.topic", "measures");

    assertThat(problems()).isEmpty();
  }

  @Test
  void whatIsRequiredIsNamedWhenItIsMissing() {
    options.clear();

    assertThat(problems())
        .anySatisfy(p -> assertThat(p).startsWith("kafka.bootstrap.servers is missing"))
        .anySatisfy(p -> assertThat(p).startsWith("input.features is missing"))
        .anySatisfy(p -> assertThat(p).startsWith("input.outputs is missing"))
        .anySatisfy(p -> assertThat(p).startsWith("scoring.topics is missing"))
        .anySatisfy(p -> assertThat(p).startsWith("scoring.output-topic is missing"))
        .anySatisfy(
            p ->
                assertThat(p)
                    .startsWith(
                        "None of scoring.models, scoring.models-topic, snapshot.directory is set"))
        .hasSize(6);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scoring.output-topic=flowers                    | scoring.output-topic is 'flowers', which is in scoring.topics too
          dead-letter.topic=flowers                       | dead-letter.topic is 'flowers', which is in scoring.topics too
          metrics.topic=flowers                           | metrics.topic is 'flowers', which is in scoring.topics too
          dead-letter.topic=predictions                   | scoring.output-topic is 'predictions', which is in dead-letter.topic too
          metrics.topic=predictions                       | scoring.output-topic is 'predictions', which is in metrics.topic too
          evaluation.holdout=topic:predictions            | scoring.output-topic is 'predictions', which is in evaluation.holdout too
          input.topics=predictions                        | scoring.output-topic is 'predictions', which is in input.topics too
          input.topic-pattern=pre.*                       | scoring.output-topic is 'predictions', which is in input.topic-pattern too
          input.bounded=true scoring.start=latest       | no record lies between
          output.guarantee=exactly-once kafka.group.id=g execution.checkpointing.interval=0 | execution.checkpointing.interval is '0'
          output.guarantee=exactly-once                  | kafka.group.id is missing
          scoring.start=group-offsets                     | kafka.group.id is missing
          input.classes=a;b                           | names 2 classes and input.outputs is '3'
          output.guarantee=twice                         | it must be none, at-least-once or exactly-once
          scoring.serve=newest                            | it must be latest or committed
          scoring.start=now                               | it must be earliest, latest, group-offsets or milliseconds
          scoring.max-wait=0                              | it must be a duration of at least 1 ms
          scoring.batch-size=0                            | it must be a whole number of at least 1
          scoring.topic=flowers                           | did you mean scoring.topics?
          """)
  void whatContradictsItselfIsRefused(String changes, String message) {
    change(changes);

    assertThat(problems()).singleElement().asString().contains(message);
  }

  @Test
  void aTrainingJobMayScoreTheTopicThatItLearnsFrom() {
    train();

    assertThat(problems(ScoringRulesTest::training)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          output.guarantee=none scoring.topics=          | scoring.topics is missing
          scoring.output-topic=                           | scoring.output-topic is missing
          scoring.models=                                 | None of scoring.models, scoring.models-topic, snapshot.directory is set
          input.topics=predictions                        | which is in input.topics too
          model.name=                                     | None of model.name, model.configuration, model.archive is set
          """)
  void aTrainingJobThatScoresObeysTheRulesOfBoth(String changes, String message) {
    train();
    change(changes);

    assertThat(problems(ScoringRulesTest::training)).singleElement().asString().contains(message);
  }

  private static void scoring(Configuration options) {
    JobOptions.check(JobKind.SCORING, options, new Configuration());
  }

  private static void training(Configuration options) {
    JobOptions.check(JobKind.TRAINING, options, new Configuration());
  }

  private void train() {
    options.put("input.topics", "flowers");
    options.put("model.name", "mlp");
  }

  private void change(String changes) {
    for (String change : changes.split(" ", -1)) {
      String[] keyAndValue = change.split("=", 2);
      if (keyAndValue[1].isEmpty()) {
        options.remove(keyAndValue[0]);
      } else {
        options.put(keyAndValue[0], keyAndValue[1]);
      }
    }
  }

  private List<String> problems() {
    return problems(ScoringRulesTest::scoring);
  }

  private List<String> problems(Consumer<Configuration> check) {
    InvalidOptionsException failure =
        catchThrowableOfType(
            InvalidOptionsException.class, () -> check.accept(OptionReader.configuration(options)));
    return failure == null ? List.of() : failure.problems();
  }
}
