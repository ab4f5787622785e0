package dev.millrace.job.benchmark;

import dev.millrace.job.common.InputSetup;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.train.rebuild.LogChain;
import dev.millrace.job.train.rebuild.LogEntries;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.kafka.topic.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the training log costs: examples a second with it and without, in turns, and bytes of an
 * entry; and how fast the last model is made again. Of the engine that {@code -Dmillrace.engine}
 * names, {@code sync}, a contribution every 3 steps; with {@code -Dmillrace.slots=8}.
 */
class RebuildBenchmark {

  private static final int TURNS = Integer.getInteger("millrace.rebuild.turns", 3);
  private static final String LOGGED = "with the log";
  private static final String PLAIN = "without";

  @TempDir Path directory;

  @Test
  void lenet() throws Exception {
    List<byte[]> records =
        new Images(Integer.getInteger("millrace.rebuild.batches", 600)).records();
    for (int replicas : List.of(2, 8)) {
      String topic = topic(records, replicas);
      measure("lenet", replicas, name -> Lenet.job(topic, directory.resolve(name)));
    }
  }

  @Test
  void smallNetwork() throws Exception {
    List<byte[]> records =
        Blobs.encode(new Blobs(1).next(Integer.getInteger("millrace.rebuild.records", 300_000)));
    for (int replicas : List.of(2, 8)) {
      String topic = topic(records, replicas);
      measure(
          "mlp",
          replicas,
          name ->
              new Job(topic, directory.resolve(name))
                  .engine(Lenet.engine())
                  .set("batch.local-size", "32")
                  .set("batch.size", "32")
                  .set("exchange.local-steps", "3")
                  .set("execution.checkpointing.interval", "5 s")
                  .set("metrics.interval", "500 ms"));
    }
  }

  private static String topic(List<byte[]> records, int partitions) throws Exception {
    String topic = Broker.topic(partitions);
    int each = records.size() / partitions;
    for (int partition = 0; partition < partitions; partition++) {
      Broker.produce(topic, partition, records.subList(partition * each, (partition + 1) * each));
    }
    return topic;
  }

  private interface Jobs {
    Job named(String name) throws Exception;
  }

  private void measure(String network, int replicas, Jobs jobs) throws Exception {
    Rates rates = new Rates();
    Job logged = null;
    for (int turn = 0; turn < TURNS; turn++) {
      for (String log : List.of(PLAIN, LOGGED)) {
        Job job =
            jobs.named("%s-%s-%s-%s".formatted(network, replicas, log, turn))
                .parallelism(replicas)
                .set("snapshot.interval", "1 h");
        if (log.equals(LOGGED)) {
          logged = job.set("rebuild.log", "log-" + UUID.randomUUID());
        }
        rates.note(log, job.run());
      }
    }
    System.out.printf(
        "%s, %d replicas: %.3f of the rate without%n",
        network, replicas, rates.ratio(LOGGED, PLAIN));
    rates.print();
    entries(logged);
    rebuild(logged, rates);
  }

  private static void entries(Job job) {
    LongAdder bytes = new LongAdder();
    LongAdder entries = new LongAdder();
    String log = job.options().toMap().get("rebuild.log");
    TopicValues.all(
        SourceSettings.of(Broker.cluster(), Topics.named(List.of(log))),
        InputSetup.CHECK_LIMIT,
        value -> {
          bytes.add(value.length);
          entries.increment();
        });
    System.out.printf(
        "%d entries of %.0f bytes%n", entries.sum(), (double) bytes.sum() / entries.sum());
  }

  private static void rebuild(Job job, Rates rates) throws Exception {
    RebuildJob again = new RebuildJob(job.options());
    LogEntries log = again.log();
    long begun = System.nanoTime();
    long examples =
        again
            .make(
                LogChain.to(log.versions().last(), log),
                Optional.empty(),
                (version, done, all, model) -> true)
            .ledger()
            .learnedCount();
    double rate = examples * 1e9 / (System.nanoTime() - begun);
    System.out.printf(
        "made again: %.0f examples/s, %.2f of the job's%n", rate, rate / rates.median(LOGGED));
  }
}
