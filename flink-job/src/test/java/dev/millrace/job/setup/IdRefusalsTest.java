package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.common.InputSetup;
import dev.millrace.job.evaluate.setup.EvaluationArguments;
import dev.millrace.job.evaluate.setup.EvaluationSetup;
import dev.millrace.job.follow.AgreeingModels;
import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.train.setup.HoldOutSetup;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.testing.FieldShapes;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever completes features without the rows of tables refuses fields of ids. */
class IdRefusalsTest {

  private static final ExampleShape SHAPE = FieldShapes.ids(3);

  private static final String FIELD =
      " has no rows of tables, and the field \"user\" takes those of the table \"users\"; ";

  @TempDir Path directory;

  private static Configuration options(Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("kafka.bootstrap.servers", "localhost:9");
    return OptionReader.configuration(options);
  }

  private PublishedSnapshot publish() throws IOException {
    GlobalModel telling = TellingModels.model(SHAPE, 7);
    TellingModels.publish(
        directory,
        new GlobalModel(
            telling.spec(),
            telling.version(),
            telling.iteration(),
            telling.vector(),
            LearnedFeatures.none(SHAPE, false).statistics(),
            telling.ledger(),
            telling.prequential(),
            telling.lineage()));
    try (SnapshotFeed feed = SnapshotFeed.directory(directory, Pointer.LATEST)) {
      return feed.poll().orElseThrow();
    }
  }

  @Test
  void aModelThatIsToPredict() throws IOException {
    PublishedSnapshot snapshot = publish();

    assertThatThrownBy(
            () -> new AgreeingModels(ModelDirectory.of(directory.toString(), false)).read(snapshot))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("A prediction" + FIELD);
  }

  @Test
  void examplesThatAreToBeScored() {
    ScoringSetup setup =
        new ScoringSetup(
            JobOptions.check(
                JobKind.SCORING,
                options(
                    Map.of(
                        "scoring.topics", "in",
                        "scoring.models", "file:///models",
                        "scoring.output-topic", "out",
                        "input.format", "json",
                        "input.classes", "a;b",
                        "input.fields",
                            "[{\"path\":\"user\",\"kind\":\"id\",\"table\":\"users\",\"dimension\":2}]")),
                new Configuration()));

    assertThatThrownBy(setup::check)
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("A prediction" + FIELD);
  }

  @Test
  void aModelThatIsToBeEvaluated() throws IOException {
    publish();
    Path data = Files.writeString(directory.resolve("data.csv"), "flag,user\ntrue,5\n");

    assertThatThrownBy(
            () ->
                EvaluationSetup.of(
                    new EvaluationArguments(
                        directory.toString(),
                        "csv:" + data,
                        directory.resolve("measures.json").toString()),
                    options(Map.of())))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("An evaluation" + FIELD);
  }

  @ParameterizedTest
  @CsvSource({
    "evaluation.holdout, csv:none.csv, give rows.topic or rows.files",
    "evaluation.holdout, topic:held, give rows.topic or rows.files",
    "evaluation.segments, class, give rows.topic or rows.files"
  })
  void examplesThatAreHeldOut(String key, String value, String remedy) {
    Configuration options = options(Map.of(key, value));
    InputSetup input = new InputSetup(options, SHAPE);

    assertThatThrownBy(() -> HoldOutSetup.of(options, input))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("What is held out" + FIELD + remedy);
  }
}
