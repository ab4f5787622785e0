package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.snapshot.LatestSnapshot;
import java.nio.file.Path;
import java.util.Random;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.dataset.DataSet;

/** Data sets that come by Flink's own sources and streams. */
class StreamsIT {

  private static final int SIZE = 16;
  private static final long DATA_SETS = 150;

  @TempDir Path directory;

  private final MultiLayerNetwork network = Examples.network();

  @Test
  @Timeout(120)
  void aSourceIsLearnedToItsEnd() throws Exception {
    try (ParallelWrapper wrapper = wrapper()) {
      wrapper.fit(source(DATA_SETS));
    }

    assertThat(learned()).isEqualTo(SIZE * DATA_SETS);
    assertThat(network.getEpochCount()).isEqualTo(1);
    assertThat(Examples.accuracy(network)).isGreaterThan(0.9);
  }

  /** Data sets go from task to task here, so Flink writes them. */
  @Test
  @Timeout(120)
  void aStreamIsLearnedInItsOwnEnvironment() throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(3);
    DataStream<DataSet> stream = stream(environment, DATA_SETS).rebalance();
    try (ParallelWrapper wrapper = wrapper()) {
      wrapper.fit(stream);
    }

    assertThat(learned()).isEqualTo(SIZE * DATA_SETS);
    assertThat(environment.getParallelism()).isEqualTo(3);
    assertThat(Examples.accuracy(network)).isGreaterThan(0.9);
  }

  @Test
  @Timeout(120)
  void aStreamWithoutEndIsLearnedUntilItIsStopped() throws Exception {
    try (ParallelWrapper wrapper = wrapper()) {
      wrapper.setListeners(
          new BaseTrainingListener() {
            @Override
            public void iterationDone(Model model, int iteration, int epoch) {
              if (iteration == 50) {
                wrapper.stopFit();
              }
            }
          });
      wrapper.fit(stream(StreamExecutionEnvironment.createLocalEnvironment(1), Long.MAX_VALUE / 2));
    }

    assertThat(learned()).isPositive();
    assertThat(network.getEpochCount()).isZero();
  }

  @Test
  void aStreamThatFlinkCouldNotWriteIsRefused() {
    DataStream<DataSet> stream =
        StreamExecutionEnvironment.createLocalEnvironment(1)
            .fromSequence(1, 2)
            .map(number -> Examples.minibatch(new Random(number), SIZE));
    try (ParallelWrapper wrapper = wrapper()) {
      assertThatThrownBy(() -> wrapper.fit(stream)).hasMessageContaining("DataSets.type()");
    }
  }

  private ParallelWrapper wrapper() {
    return new ParallelWrapper.Builder<>(network)
        .workers(2)
        .averagingFrequency(2)
        .option("batch.local-size", Integer.toString(SIZE))
        .option("snapshot.directory", directory.resolve("models").toString())
        .build();
  }

  private long learned() throws Exception {
    return LatestSnapshot.find(directory.resolve("models")).orElseThrow().description().learned();
  }

  private static DataStream<DataSet> stream(StreamExecutionEnvironment environment, long count) {
    return environment.fromSource(
        source(count), WatermarkStrategy.noWatermarks(), "numbers", DataSets.type());
  }

  private static DataGeneratorSource<DataSet> source(long count) {
    return new DataGeneratorSource<>(
        number -> Examples.minibatch(new Random(number), SIZE), count, DataSets.type());
  }
}
