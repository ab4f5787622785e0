package dev.millrace.job.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.operator.RosterSettings;
import dev.millrace.exchange.operator.SavedModel;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.file.LineFile;
import dev.millrace.job.publish.PublisherSettings;
import dev.millrace.job.replica.ReplicaSettings;
import dev.millrace.job.testing.NumberedExamples;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.kafka.ReceivedTypeInfo;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.InitialModel;
import dev.millrace.model.testing.SummingEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingTopologyIT {

  private static final int RECORDS = 60_000;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"1,sync,hashmap", "2,sync,hashmap", "3,overlap,rocksdb"})
  void everyRecordIsInTheModelExactlyOnce(int replicas, String schedule, String backend)
      throws Exception {
    long seed = new Random().nextLong();
    SeededFaults faults = new SeededFaults(seed, 21, 100);
    StreamExecutionEnvironment environment = TestEnvironment.local(replicas, backend, null);
    InitialModel initial = SummingEngine.initial(10);
    BlockLayout layout = initial.spec().layout(3, true);
    TrainingSettings settings =
        new TrainingSettings(
            new ReplicaSettings(
                initial,
                layout,
                8,
                Duration.ofHours(1),
                schedule.equals("sync") ? Schedule.sync(3, 0) : Schedule.overlap(3, 0),
                Codec.float32(),
                false),
            new RosterSettings(
                new SavedModel(initial.spec(), layout),
                new FeatureStatistics(0),
                0,
                Duration.ofHours(1),
                1000,
                0,
                Duration.ofMillis(100)),
            new PublisherSettings(
                initial.spec(), layout, null, directory.toString(), Duration.ZERO, 1, Map.of()),
            Aggregator.weightedMean(),
            ServerOptimizer.none(),
            0);
    Path metrics = directory.resolve("metrics.jsonl");
    new TrainingTopology(settings, faults)
        .build(
            environment,
            NumberedExamples.source(RECORDS),
            new ReceivedTypeInfo(),
            null,
            Map.of("file", new LineFile(metrics)));
    long start = System.nanoTime();
    environment.execute();
    System.out.println(
        "seed "
            + seed
            + ", faults "
            + faults.thrown()
            + ", s "
            + (System.nanoTime() - start) / 1e9);
    var lines = Files.readAllLines(metrics);
    System.out.println(lines.get(lines.size() - 2) + "\n" + lines.get(lines.size() - 1));
    assertThat(faults.thrown()).isEqualTo(21);
  }
}
