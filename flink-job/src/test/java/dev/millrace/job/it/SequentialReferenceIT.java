package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** {@code sync} is averaging: the job against a plain loop over DL4J networks. */
class SequentialReferenceIT {

  private static final int FREQUENCY = 3;
  private static final int BATCH = 8;

  @TempDir Path directory;

  @Test
  void syncEqualsASequentialReference() throws Exception {
    equalsASequentialReference(2, 60);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void syncEqualsASequentialReferenceOver200Rounds(int replicas) throws Exception {
    equalsASequentialReference(replicas, 200);
  }

  private void equalsASequentialReference(int replicas, int rounds) throws Exception {
    String topic = Broker.topic(replicas);
    List<List<Example>> streams = new ArrayList<>();
    for (int partition = 0; partition < replicas; partition++) {
      List<Example> examples = new Blobs(partition).next(rounds * FREQUENCY * BATCH);
      streams.add(examples);
      Broker.produce(topic, partition, Blobs.encode(examples));
    }

    Job first = job(topic, "first", replicas).run();
    Job second = job(topic, "second", replicas).run();

    MultiLayerNetwork network = first.network();
    MultiLayerNetwork reference = reference(streams, rounds, job(topic, "initial", replicas));
    assertThat(first.description().version().round()).isEqualTo(rounds);
    assertThat(largestDifference(network.params(), reference.params())).isLessThan(1e-5);
    assertThat(
            largestDifference(
                network.getUpdater().getStateViewArray(),
                reference.getUpdater().getStateViewArray()))
        .isLessThan(1e-5);
    assertThat(second.network().params()).isEqualTo(network.params());
    assertThat(second.network().getUpdater().getStateViewArray())
        .isEqualTo(network.getUpdater().getStateViewArray());
  }

  private Job job(String topic, String name, int replicas) {
    return new Job(topic, directory.resolve(name))
        .parallelism(replicas)
        // A stream all the same.
        .flink("execution.runtime-mode", "AUTOMATIC")
        .set("input.standardize", "off")
        .set("exchange.local-steps", String.valueOf(FREQUENCY));
  }

  private static MultiLayerNetwork reference(List<List<Example>> streams, int rounds, Job job) {
    List<MultiLayerNetwork> networks = new ArrayList<>();
    for (int i = 0; i < streams.size(); i++) {
      networks.add(job.initialNetwork());
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < networks.size(); i++) {
        for (int step = 0; step < FREQUENCY; step++) {
          int from = (round * FREQUENCY + step) * BATCH;
          List<Example> batch = streams.get(i).subList(from, from + BATCH);
          networks.get(i).fit(features(batch), labels(batch));
        }
      }
      average(networks);
    }
    return networks.get(0);
  }

  private static void average(List<MultiLayerNetwork> networks) {
    INDArray parameters = networks.get(0).params().dup();
    INDArray state = networks.get(0).getUpdater().getStateViewArray().dup();
    for (MultiLayerNetwork network : networks.subList(1, networks.size())) {
      parameters.addi(network.params());
      state.addi(network.getUpdater().getStateViewArray());
    }
    parameters.divi(networks.size());
    state.divi(networks.size());
    for (MultiLayerNetwork network : networks) {
      network.params().assign(parameters);
      network.getUpdater().getStateViewArray().assign(state);
    }
  }

  private static INDArray features(List<Example> batch) {
    return Nd4j.create(batch.stream().map(Example::features).toArray(float[][]::new));
  }

  private static INDArray labels(List<Example> batch) {
    return Nd4j.create(batch.stream().map(Example::labels).toArray(float[][]::new));
  }

  private static double largestDifference(INDArray one, INDArray other) {
    return one.sub(other).amaxNumber().doubleValue();
  }
}
