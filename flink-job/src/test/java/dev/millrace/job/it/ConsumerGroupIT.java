package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Broker;
import dev.millrace.job.testing.Job;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offsets are committed to the group that the options name, if they name one. */
class ConsumerGroupIT {

  private static final int EXAMPLES = 200;

  @TempDir Path directory;

  @Test
  void aJobWithoutAGroupLearnsAndCommitsNothing() throws Exception {
    String topic = topic();

    run(new Job(topic, directory).unset("kafka.group.id"));

    assertThat(Broker.positions(topic)).isEmpty();
    assertThat(Broker.positions("millrace", topic)).isEmpty();
  }

  @Test
  void aJobWithAGroupCommitsToIt() throws Exception {
    String topic = topic();
    String group = "group-of-" + topic;

    run(new Job(topic, directory).set("kafka.group.id", group));

    assertThat(Broker.positions(group, topic)).isEqualTo(Map.of(0, (long) EXAMPLES));
  }

  private static String topic() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(0).next(EXAMPLES)));
    return topic;
  }

  /** Until all is learned, and to a savepoint, with which offsets are committed. */
  private static void run(Job job) throws Exception {
    JobClient client = job.set("input.bounded", "false").start();
    job.await(() -> job.taken() == EXAMPLES);
    job.stop(client, false);
  }
}
