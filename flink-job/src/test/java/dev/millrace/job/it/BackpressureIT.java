package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that is read many times faster than its records can be learned from. */
@Tag("slow")
class BackpressureIT {

  private static final ExampleShape SHAPE = new ExampleShape(2000, 2, Target.CLASSIFICATION);
  private static final int PER_PARTITION = 6_000;
  private static final int AT_ONCE = 1_000;

  /** What clients and buffers may hold more: a quarter of what the topic holds. */
  private static final long ALLOWANCE = 2L * PER_PARTITION * 2000 * Float.BYTES / 4;

  /** The last line: objects, and their bytes. */
  private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

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
            .set("execution.checkpointing.interval", "500 ms")
            .faults(SlowSteps.slowerAfter(PER_PARTITION / 8));

    JobClient client = job.start();
    job.await(() -> job.taken() >= PER_PARTITION / 10);
    String early = reachable();
    String late = lowest(job);
    job.cancel(client);

    assertThat(job.taken()).isLessThan(2 * PER_PARTITION);
    assertThat(bytes(late) - bytes(early))
        .as("growth of what can be reached%nfrom%n%s%nto%n%s", top(early), top(late))
        .isLessThan(ALLOWANCE);
  }

  /**
   * The smallest of three histograms in the middle of the topic. A topic that is read ahead is in
   * memory at each of them; what other tests in this JVM leave behind is not.
   */
  private static String lowest(Job job) throws Exception {
    List<String> histograms = new ArrayList<>();
    for (int quarters = 2; quarters <= 4; quarters++) {
      long records = PER_PARTITION / 4L * quarters;
      job.await(() -> job.taken() >= records);
      histograms.add(reachable());
    }
    return Collections.min(histograms, Comparator.comparingLong(BackpressureIT::bytes));
  }

  /**
   * All objects that can be reached by class, counted while the JVM stands still: what is used of
   * the heap grows again between a collection and the question.
   */
  private static String reachable() throws Exception {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
  }

  private static String top(String histogram) {
    return histogram.lines().limit(12).collect(Collectors.joining("\n"));
  }

  private static long bytes(String histogram) {
    Matcher total = TOTAL.matcher(histogram);
    assertThat(total.find()).as(histogram).isTrue();
    return Long.parseLong(total.group(1));
  }

  /** The same thousand records again and again: only how many bytes they are counts. */
  private static void produceWide(String topic, int partition) throws Exception {
    ExampleFormat format = ExampleFormat.named("float32", SHAPE, FormatSettings.defaults());
    Random random = new Random(partition);
    Example example = new Example(SHAPE);
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      for (int feature = 0; feature < SHAPE.features(); feature++) {
        example.features()[feature] = random.nextFloat();
      }
      example.setClass(random.nextInt(SHAPE.outputs()));
      values.add(format.write(example));
    }
    for (int done = 0; done < PER_PARTITION; done += AT_ONCE) {
      Broker.produce(topic, partition, values);
    }
  }
}
