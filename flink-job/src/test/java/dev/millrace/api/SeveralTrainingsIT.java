package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.SeededFaults;
import dev.millrace.model.testing.Seeds;
import dev.millrace.sink.LineFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeveralTrainingsIT {

  private static final int RECORDS = 3_000;

  @TempDir Path directory;

  /** Two of one job, whose tasks fail: each ends as it does in a job of its own. */
  @Test
  void trainingsOfOneJobKeepApart() throws Exception {
    for (int training = 0; training < 2; training++) {
      StreamExecutionEnvironment alone = ApiJob.environment(1);
      train(alone, training, directory.resolve("alone-" + training), null);
      alone.execute();
    }
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, 7, 12);

    StreamExecutionEnvironment both = ApiJob.environment(1);
    Training<Long> first = train(both, 0, directory.resolve("both-0"), faults);
    train(both, 1, directory.resolve("both-1"), faults);
    first
        .rejected()
        .map(rejected -> rejected.record() + " " + rejected.reason())
        .returns(Types.STRING)
        .sinkTo(new LineFile(directory.resolve("rejected")))
        .setParallelism(1);
    first.progress().sinkTo(new LineFile(directory.resolve("progress"))).setParallelism(1);
    both.execute();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(7);
    for (int training = 0; training < 2; training++) {
      assertThat(ApiJob.vector(directory.resolve("both-" + training)))
          .as("training %d, seed %d", training, seed)
          .isEqualTo(ApiJob.vector(directory.resolve("alone-" + training)));
    }
    assertThat(Files.readAllLines(directory.resolve("rejected")))
        .as("seed %d", seed)
        .contains("5 not mapped: java.lang.IllegalStateException: no example");
    assertThat(Files.readAllLines(directory.resolve("progress")))
        .anySatisfy(line -> assertThat(line).contains("\"progress\""));
  }

  private static Training<Long> train(
      StreamExecutionEnvironment environment, int number, Path models, SeededFaults faultsOrNull) {
    TrainingOptions options =
        ApiJob.options(models, "sync")
            .model(Model.mlp(8, 3).hidden(16 + 8 * number))
            .uidPrefix("training-" + number)
            .build();
    NumberSequenceSource source = new NumberSequenceSource(number, number + RECORDS - 1);
    return faultsOrNull == null
        ? Millrace.train(environment, source, ApiJob::map, options)
        : Millrace.train(environment, source, ApiJob::map, options, faultsOrNull);
  }
}
