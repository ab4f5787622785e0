package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What learning that never ends costs LeNet: examples a second of a job with default options, of
 * one with all that watches, reacts and remembers, and of one with the importance of parameters,
 * too. Replayed examples and members of a population are further computing by design, so they
 * aren't in it. The jobs take turns; ratios are of medians.
 */
class ContinualBenchmark {

  private static final int TURNS = Integer.getInteger("millrace.continual.turns", 3);

  @TempDir Path directory;

  private final Rates rates = new Rates();

  @Test
  void everythingOnCostsLittle() throws Exception {
    List<byte[]> records = new Images(700).records();
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, records.subList(0, records.size() / 2));
    Broker.produce(topic, 1, records.subList(records.size() / 2, records.size()));

    for (int turn = 0; turn < TURNS; turn++) {
      rates.note("defaults", Lenet.job(topic, place("defaults", turn)).run());
      rates.note("everything", everything(Lenet.job(topic, place("everything", turn))).run());
      rates.note(
          "with importance",
          everything(Lenet.job(topic, place("importance", turn)))
              .set("forgetting.importance", "fisher")
              .run());
    }

    rates.print();
    assertThat(rates.ratio("everything", "defaults")).isGreaterThan(0.9);
  }

  private static Job everything(Job job) {
    return job.set("input.standardize", "on")
        .set("drift.detector", "adwin;kswin;page-hinkley")
        .set("drift.features", "adwin")
        .set("drift.reaction", "more-rounds;publish")
        .set("forgetting.older-model", "drift")
        .set("exchange.ema.half-life", "5000")
        .set("evaluation.segments", "class");
  }

  private Path place(String name, int turn) {
    return directory.resolve(name + turn);
  }
}
