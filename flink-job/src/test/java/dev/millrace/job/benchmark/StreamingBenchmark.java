package dev.millrace.job.benchmark;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records a second of one replica with the preset {@code streaming}: four members, minibatches of
 * one record and seven that are replayed, a round for each; of the engine that {@code
 * -Dmillrace.engine} names. They are counted from the first report to the last. {@code
 * -Dmillrace.streaming.steps} and {@code -Dmillrace.streaming.delay} have rounds made while the
 * replica goes on.
 */
class StreamingBenchmark {

  private static final int RECORDS = Integer.getInteger("millrace.streaming.records", 40_000);

  @TempDir Path directory;

  @Test
  void recordsOfATable() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(RECORDS)));
    Job job =
        new Job(topic, directory)
            .engine(Lenet.engine())
            .parallelism(1)
            .set("preset", "streaming")
            .set("execution.checkpointing.interval", "5 s")
            .set("metrics.interval", "1 s")
            .set("snapshot.interval", "10 s")
            .unset("batch.size")
            .unset("batch.local-size")
            .unset("exchange.learning-rate-scaling")
            .unset("exchange.block-size")
            .set("exchange.local-steps", System.getProperty("millrace.streaming.steps", "1"))
            .set("exchange.delay", System.getProperty("millrace.streaming.delay", "0"))
            .run();
    Rates rates = new Rates();
    rates.note("records/s", job);
    rates.print();
  }
}
