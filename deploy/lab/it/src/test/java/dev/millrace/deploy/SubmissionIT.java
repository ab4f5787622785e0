package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.deploy.Flink.Answer;
import dev.millrace.digits.Digits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A job that can't run is refused with one message, which says what is wrong. */
@ExtendWith(SharedCluster.class)
class SubmissionIT {

  @Test
  void whatIsWrongIsToldInOneMessage(TestCluster cluster) throws Exception {
    Topic topic = Topic.of(cluster.bootstrapServers(), "submission", 4, new Digits(100, 1));
    TrainingRun run =
        new TrainingRun(
            cluster.flink(), topic, cluster.directory().resolve("submission"), Map.of());

    refused(cluster, run, "1", "--batch.size", "0")
        .isEqualTo("batch.size is '0'; it must be a whole number of at least 1");
    refused(cluster, run, "4", "--submission.slot-wait", "100 ms")
        .startsWith("The job needs 4 slots, one for each replica")
        .contains("has 3 free of 3", "set submission.slot-wait to 0")
        .hasLineCount(1);
    refused(cluster, run, "1", "--execution.checkpointing.dir", "file:///dev/null/checkpoints")
        .startsWith("The cluster can't start the job: Failed to create checkpoint storage")
        .contains("/dev/null")
        .hasLineCount(1);
  }

  private static org.assertj.core.api.AbstractStringAssert<?> refused(
      TestCluster cluster, TrainingRun run, String replicas, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "run",
                "-d",
                "-p",
                replicas,
                Distribution.jobJar().toString(),
                "--config",
                run.config().toString()));
    command.addAll(List.of(options));
    Answer answer = cluster.flink().run(command);
    assertThat(answer.exitCode()).as(answer.output()).isEqualTo(1);
    return assertThat(answer.output().strip());
  }
}
