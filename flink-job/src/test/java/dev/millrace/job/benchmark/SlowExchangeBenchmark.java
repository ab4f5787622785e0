package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an exchange that takes 50 ms longer a round costs: LeNet, batch 32, a contribution every 3
 * steps, two replicas. {@code overlap} hides it, and so does {@code sync} with a delay of two
 * steps; {@code sync} alone pays it. They take turns; ratios are of medians.
 */
class SlowExchangeBenchmark {

  private static final int TURNS = Integer.getInteger("millrace.slow-exchange.turns", 3);
  private static final String DELAYED = "delayed";
  private static final Duration DELAY = Duration.ofMillis(50);

  @TempDir Path directory;

  @Test
  void overlapHidesASlowExchange() throws Exception {
    List<byte[]> records = new Images(300).records();
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, records.subList(0, records.size() / 2));
    Broker.produce(topic, 1, records.subList(records.size() / 2, records.size()));
    Rates rates = new Rates();

    for (int turn = 0; turn < TURNS; turn++) {
      for (String schedule : List.of("sync", "overlap", DELAYED)) {
        rates.note(schedule, run(topic, schedule, Delays.none(schedule + turn)));
        String slow = schedule + ", slow";
        // One block, so one delay a round and sink.
        rates.note(
            slow, run(topic, schedule, new Delays(slow + turn, Place.FEEDBACK_OUT, -1, DELAY, 0)));
      }
    }

    rates.print();
    assertThat(rates.ratio("overlap, slow", "overlap")).isGreaterThan(0.95);
    assertThat(rates.ratio("delayed, slow", "overlap, slow")).isGreaterThan(0.9);
  }

  private Job run(String topic, String schedule, Delays delays) throws Exception {
    return Lenet.job(topic, directory.resolve(delays.name()))
        .set("exchange.schedule", schedule.equals(DELAYED) ? "sync" : schedule)
        .set("exchange.delay", schedule.equals(DELAYED) ? "2" : "0")
        .set("exchange.block-size", "4 mb")
        .faults(delays)
        .run();
  }
}
