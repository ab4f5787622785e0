package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offsets are committed to the group that the options name, if they name one. */
@Tag("slow")
class ConsumerGroupIT {

  /** Whole rounds of three minibatches of eight. */
  private static final int EXAMPLES = 240;

  @TempDir Path directory;

  @Test
  void aJobWithoutAGroupLearnsAndCommitsNothing() throws Exception {
    String topic = topic();

    Job job = unbounded(topic).unset("kafka.group.id");
    JobClient client = job.start();
    job.await(() -> job.taken() == EXAMPLES);
    job.stop(client, false);

    assertThat(Broker.positions(topic)).isEmpty();
    assertThat(Broker.positions("millrace", topic)).isEmpty();
  }

  @Test
  void aJobWithAGroupCommitsToIt() throws Exception {
    String topic = topic();
    String group = "group-of-" + topic;

    Job job = unbounded(topic).set("kafka.group.id", group);
    JobClient client = job.start();
    job.await(() -> Broker.positions(group, topic).equals(Map.of(0, (long) EXAMPLES)));
    job.stop(client, false);

    assertThat(Broker.positions(topic)).as("the group that it has by default").isEmpty();
  }

  private static String topic() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(0).next(EXAMPLES)));
    return topic;
  }

  private Job unbounded(String topic) {
    return new Job(topic, directory).parallelism(1).set("input.bounded", "false");
  }
}
