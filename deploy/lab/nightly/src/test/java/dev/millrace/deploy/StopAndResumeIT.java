package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.digits.Digits;
import dev.millrace.file.DataSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What operators do with a job from day to day, by Flink's own commands. */
@ExtendWith(SharedCluster.class)
class StopAndResumeIT {

  private static final DataSpec DIGITS = new Digits(6_000, 1);

  @Test
  void everyRecordIsLearnedOnceOverStopsAndOtherParallelisms(TestCluster cluster) throws Exception {
    Topic topic = Topic.of(cluster.bootstrapServers(), "stop-and-resume", 3, DIGITS);
    TrainingRun run =
        new TrainingRun(
            cluster.flink(), topic, cluster.directory().resolve("stop-and-resume"), Map.of());

    String first = run.submit(2);
    run.awaitExamples(1_000);
    String atTwo = run.stop(first);
    String second = run.submit(Distribution.jobJar(), 3, List.of("-s", atTwo));
    run.awaitGenerationAfter(0, 0);
    run.awaitExamples(run.examples() + 500);
    String atThree = run.stop(second);
    String third = run.submit(Distribution.jobJar(), 1, List.of("-s", atThree));

    assertThat(run.awaitWhole().description().version().generation()).isEqualTo(2);
    run.awaitEnd(third);
    run.requireVersionsGrew();
  }
}
