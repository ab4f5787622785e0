package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.job.testing.Broker;
import dev.millrace.job.testing.Job;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that is read many times faster than its records can be learned from. */
class BackpressureIT {

  private static final ExampleShape SHAPE = new ExampleShape(2000, 2, Target.CLASSIFICATION);
  private static final int PER_PARTITION = 15_000;

  /** What clients and buffers may take more: a quarter of what the topic holds. */
  private static final long ALLOWANCE = 2L * PER_PARTITION * 2000 * Float.BYTES / 4;

  @TempDir Path directory;

  @Test
  void memoryStaysFlatHoweverMuchThereIsToRead() throws Exception {
    String topic = Broker.topic(2);
    for (int partition = 0; partition < 2; partition++) {
      produceWide(topic, partition);
    }
    Job job =
        new Job(topic, directory)
            .set("input.features", "2000")
            .set("input.outputs", "2")
            .set("model.hidden", "64")
            .set("exchange.block-size", "1 mb")
            .set("input.bounded", "false")
            .set("execution.checkpointing.interval", "500 ms");

    JobClient client = job.start();
    long early = usedHeapWhenTaken(job, PER_PARTITION / 10);
    long late = usedHeapWhenTaken(job, PER_PARTITION);
    job.cancel(client);

    assertThat(job.taken()).isLessThan(2 * PER_PARTITION);
    assertThat(late - early).as("growth of the heap in bytes").isLessThan(ALLOWANCE);
  }

  private static long usedHeapWhenTaken(Job job, long records) {
    job.await(() -> job.taken() >= records);
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  private static void produceWide(String topic, int partition) throws Exception {
    ExampleFormat format = ExampleFormat.named("float32", SHAPE, FormatSettings.defaults());
    Random random = new Random(partition);
    Example example = new Example(SHAPE);
    int atOnce = 1000;
    for (int done = 0; done < PER_PARTITION; done += atOnce) {
      List<byte[]> values = new ArrayList<>();
      for (int i = 0; i < atOnce; i++) {
        for (int feature = 0; feature < SHAPE.features(); feature++) {
          example.features()[feature] = random.nextFloat();
        }
        example.setClass(random.nextInt(SHAPE.outputs()));
        values.add(format.write(example));
      }
      Broker.produce(topic, partition, values);
    }
  }
}
