package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.TellingModels;
import dev.millrace.sink.LineFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamScoringIT {

  private static final int RECORDS = 300;

  @TempDir Path directory;

  /** There is no model before more records have come than wait for it at once. */
  @Test
  void aStreamIsScoredByTheModelThatLearnsFromIt() throws Exception {
    Path models = directory.resolve("models");
    StreamExecutionEnvironment environment = ApiJob.environment(1);
    DataStream<Long> numbers = environment.fromSequence(0, 2_999);

    Millrace.train(
        numbers,
        ApiJob::map,
        ApiJob.options(models, "sync").option("snapshot.rounds", "50").build());
    Millrace.score(
            numbers,
            ModelFeed.latest(models.toString()),
            ApiJob::map,
            ScoringOptions.builder().mostWaiting(500).build())
        .predictions()
        .map(Prediction::version)
        .returns(Types.STRING)
        .sinkTo(new LineFile(directory.resolve("predictions")))
        .setParallelism(1);
    environment.execute();

    assertThat(Files.readAllLines(directory.resolve("predictions")))
        .hasSize(3_000 - ApiJob.rejectedOf(3_000));
  }

  @Test
  void eachRecordOfAStreamIsPredictedForOrRejected() throws Exception {
    Path models = directory.resolve("models");
    TellingModels.publish(models, 17);
    StreamExecutionEnvironment environment = ApiJob.environment(2);

    Scoring<Long> scoring =
        Millrace.score(
            environment.fromSequence(0, RECORDS - 1),
            ModelFeed.latest(models.toString()),
            (number, to) -> to.features(number % 10 == 3 ? Float.NaN : number),
            ScoringOptions.builder().batchSize(8).maxWait(Duration.ofMillis(1)).build());
    scoring
        .predictions()
        .map(
            prediction ->
                "%s %s %s %s"
                    .formatted(
                        prediction.record(),
                        Math.round(prediction.outputs()[0]),
                        Math.round(prediction.outputs()[1]),
                        prediction.version()))
        .returns(Types.STRING)
        .sinkTo(new LineFile(directory.resolve("predictions")))
        .setParallelism(1);
    scoring
        .rejected()
        .map(rejected -> rejected.record() + " " + rejected.reason())
        .returns(Types.STRING)
        .sinkTo(new LineFile(directory.resolve("rejected")))
        .setParallelism(1);
    environment.execute();

    List<String> predictions = Files.readAllLines(directory.resolve("predictions"));
    String version = predictions.get(0).split(" ", -1)[3];
    assertThat(predictions)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, RECORDS)
                .filter(number -> number % 10 != 3)
                .mapToObj(number -> "%s %s 17 %s".formatted(number, number, version))
                .toList());
    assertThat(Files.readAllLines(directory.resolve("rejected")))
        .hasSize(RECORDS / 10)
        .contains("13 feature 0 is NaN");
  }
}
