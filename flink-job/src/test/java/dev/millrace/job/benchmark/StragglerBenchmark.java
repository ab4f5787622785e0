package dev.millrace.job.benchmark;

import dev.millrace.example.Example;
import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.factory.Nd4j;

/**
 * What replica 0 loses when replica 1 has trouble: it runs at a tenth of the speed, it pauses 10 s
 * in the middle, or all that it learns is NaN. Local steps a second of replica 0, and accuracy of
 * the final model on fresh examples, each beside a run without the trouble; under {@code overlap},
 * and under {@code sync} with some patience.
 */
class StragglerBenchmark {

  private static final int BATCH = 32;
  private static final int STEPS = Integer.getInteger("millrace.straggler.steps", 1500);
  private static final Duration PAUSE = Duration.ofSeconds(10);

  @TempDir Path directory;

  private final SoftAssertions softly = new SoftAssertions();

  @Test
  void theOthersKeepTheirThroughput() throws Exception {
    List<byte[]> mine = Blobs.encode(new Blobs(1).next(STEPS * BATCH));
    String few = topic(mine, Blobs.encode(new Blobs(2).next(STEPS * BATCH / 10)));
    String many = topic(mine, Blobs.encode(new Blobs(3).next(STEPS * BATCH)));
    String poisoned = topic(mine, Blobs.encode(poison(STEPS * BATCH)));

    for (String schedule : List.of("overlap", "sync")) {
      Delays smooth = Delays.none(schedule + " without trouble");
      Job reference = run(many, schedule, smooth);
      Duration nineSteps = Duration.ofNanos((long) (9e9 / smooth.rate(0)));
      Job fewer = run(few, schedule, Delays.none(schedule + " with a tenth of the records"));
      compare(reference, smooth, run(many, schedule, pause(schedule)), pause(schedule));
      Delays slow = new Delays(schedule + ", a straggler", Place.LOCAL_STEP, 1, nineSteps, 0);
      compare(fewer, smooth, run(few, schedule, slow), slow);
      Delays nan = Delays.none(schedule + ", NaN");
      compare(reference, smooth, run(poisoned, schedule, nan), nan);
    }
    softly.assertAll();
  }

  private static Delays pause(String schedule) {
    return new Delays(schedule + ", a pause", Place.LOCAL_STEP, 1, PAUSE, STEPS / 3);
  }

  private void compare(Job reference, Delays smooth, Job job, Delays delays) throws Exception {
    double throughput = delays.rate(0) / smooth.rate(0);
    double accuracy = accuracy(job);
    double expected = accuracy(reference);
    System.out.printf(
        "%s: throughput of replica 0 %.2f of %.0f steps/s, accuracy %.4f (%.4f without)%n",
        delays.name(), throughput, smooth.rate(0), accuracy, expected);
    softly.assertThat(throughput).as(delays.name()).isGreaterThan(0.9);
    softly.assertThat(accuracy).as(delays.name()).isGreaterThan(expected - 0.01);
  }

  private Job run(String topic, String schedule, Delays delays) throws Exception {
    return new Job(topic, directory.resolve(delays.name().replaceAll("[ ,]+", "-")))
        .set("model.hidden", "1024;512")
        // So low that a replica that trains alone at the end is as good as the mean of two.
        .set("model.learning-rate", "0.0002")
        .set("input.standardize", "off")
        .set("batch.local-size", Integer.toString(BATCH))
        .set("exchange.schedule", schedule)
        .set("exchange.straggler-wait", "0.5")
        .set("exchange.round-timeout", "5 s")
        .set("exchange.block-size", "512 kb")
        .set("guard.max-refusals", "0")
        // Barriers align: a checkpoint that begins in the pause would hold the others'
        // contributions.
        .set("execution.checkpointing.interval", "1 min")
        .faults(delays)
        .run();
  }

  private static String topic(List<byte[]> first, List<byte[]> second) throws Exception {
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, first);
    Broker.produce(topic, 1, second);
    return topic;
  }

  private static List<Example> poison(int count) {
    List<Example> examples = new Blobs(4).next(count);
    examples.forEach(example -> Arrays.fill(example.features(), 3e38f));
    return examples;
  }

  private static double accuracy(Job job) throws Exception {
    List<Example> fresh = new Blobs(99).next(5_000);
    Evaluation evaluation = new Evaluation(Blobs.SHAPE.outputs());
    float[][] labels = fresh.stream().map(Example::labels).toArray(float[][]::new);
    evaluation.eval(
        Nd4j.create(labels),
        Nd4j.create(job.plain().predict(fresh)).reshape(fresh.size(), Blobs.SHAPE.outputs()));
    return evaluation.accuracy();
  }
}
