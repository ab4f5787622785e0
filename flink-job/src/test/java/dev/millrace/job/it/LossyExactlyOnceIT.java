package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Counters;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever codecs leave out and server optimizers remember comes through failures bit by bit, as in
 * {@link ExactlyOnceIT}.
 */
@Tag("slow")
class LossyExactlyOnceIT {

  private static final int REPLICAS = 2;
  private static final int PER_PARTITION = 2_500;
  private static final int FAULTS = 7;

  /**
   * So few that all faults come within the topic's 104 rounds though no failure takes the job back:
   * the place passed most seldom is passed twice a round.
   */
  private static final int MEAN_STEPS = 24;

  /** Parameters of the network, and Adam's two moments of each. */
  private static final int VALUES = 3 * (8 * 16 + 16 + 16 * 3 + 3);

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(REPLICAS);
    for (int partition = 0; partition < REPLICAS; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
  }

  /** The one with most to remember: what is left, the threshold, momenta. */
  @Test
  void syncEndsAsAnUndisturbedRunWould() throws Exception {
    endsAsAnUndisturbedRunWould(
        TestEngine.DL4J, "top-k", "threshold", "nesterov", "trimmed-mean", "rocksdb");
  }

  /** Its codec leaves values out, and these decay. */
  @Test
  void syncEndsAsAnUndisturbedRunWouldWithDecay() throws Exception {
    endsAsAnUndisturbedRunWould(
        TestEngine.DL4J, "top-k-2-bit", "top-k-2-bit", "none", "sum", "hashmap");
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "DL4J, bfloat16, bfloat16, nesterov, mean, hashmap",
    "DL4J, int8, int8, adam, median, rocksdb",
    "DL4J, threshold, sparse, none, sum, hashmap",
    "TORCH, top-k, threshold, nesterov, trimmed-mean, rocksdb",
    "TORCH, int8, int8, adam, median, hashmap"
  })
  void syncEndsAsAnUndisturbedRunWouldWithOtherCodecs(
      TestEngine engine,
      String codec,
      String feedback,
      String optimizer,
      String aggregator,
      String backend)
      throws Exception {
    endsAsAnUndisturbedRunWould(engine, codec, feedback, optimizer, aggregator, backend);
  }

  private void endsAsAnUndisturbedRunWould(
      TestEngine engine,
      String codec,
      String feedback,
      String optimizer,
      String aggregator,
      String backend)
      throws Exception {
    Counters.take("contributionBytes");
    Counters.take("feedbackBytes");
    Counters.take("deliveredBytes");
    Job undisturbed =
        job("undisturbed", codec, feedback, optimizer, aggregator).engine(engine).run();
    double whole = 4.0 * VALUES * undisturbed.description().version().round();
    assertThat(Counters.take("contributionBytes")).isLessThan((long) (0.7 * REPLICAS * whole));
    assertThat(Counters.take("feedbackBytes")).isLessThan((long) (0.7 * whole));
    // All are in one process.
    assertThat(Counters.take("deliveredBytes")).isZero();

    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);
    Job disturbed =
        job("disturbed", codec, feedback, optimizer, aggregator)
            .engine(engine)
            .backend(backend)
            // Half of the cases through the network, which the undisturbed run has no need of.
            .handsOver(backend.equals("hashmap"))
            .faults(faults)
            .run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    disturbed.assertTookAll(topic, PER_PARTITION, PER_PARTITION);
    assertThat(disturbed.trained().vector())
        .as("seed %d", seed)
        .isEqualTo(undisturbed.trained().vector());
    assertThat(disturbed.description().prequential())
        .isEqualTo(undisturbed.description().prequential());
  }

  private Job job(String name, String codec, String feedback, String optimizer, String aggregator) {
    Job job = new Job(topic, directory.resolve(name));
    if (List.of(codec, feedback).contains("threshold")) {
      job.set("exchange.codec.threshold.initial", "0.01");
    }
    if (codec.startsWith("top-k")) {
      job.set("exchange.codec.share", "0.1");
    }
    if (codec.equals("top-k-2-bit")) {
      job.set("exchange.codec.decay", "0.9");
    }
    return job.parallelism(REPLICAS)
        .set("exchange.codec.contributions", codec)
        .set("exchange.codec.updater-state", "int8")
        .set("exchange.codec.feedback", feedback)
        .set("exchange.server-optimizer", optimizer)
        .set("exchange.server-learning-rate", optimizer.equals("adam") ? "0.001" : "0.5")
        .set("exchange.aggregator", aggregator)
        // Some of these let the model jump, and nobody waits in a round for whoever is refused.
        .set("guard.max-change", "0");
  }
}
