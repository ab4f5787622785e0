package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.dataset.DataSet;

/**
 * What it costs to have each example predicted before it is learned from: steps of a replica, from
 * arrays of the JVM and with predictions, against plain DL4J's with its input in place. LeNet,
 * batch 32, one OpenMP thread. They take turns; the ratio is of medians.
 */
class PrequentialBenchmark {

  private static final int STEPS = 60;
  private static final int TURNS = 15;

  @TempDir Path directory;

  @Test
  void predictionsCostLessThanATenth() throws Exception {
    Images images = new Images(STEPS);
    Job job =
        new Job(Broker.topic(1), directory)
            .set("input.format", "uint8")
            .set("input.features", "784")
            .set("input.outputs", "10")
            .set("model.name", "lenet")
            .unset("model.hidden");
    MultiLayerNetwork network = network(job);
    List<DataSet> plain = images.minibatches();
    List<Minibatch> minibatches = images.replicaMinibatches();
    float[] predictions = new float[Images.BATCH * 10];
    long[] ofNetwork = new long[TURNS];
    long[] ofReplica = new long[TURNS];
    var spec = job.check().initialModel().spec();
    try (ModelReplica replica = ModelEngine.named(spec.engine()).build(spec, DeviceRequest.any())) {
      for (int turn = 0; turn < TURNS; turn++) {
        long start = System.nanoTime();
        plain.forEach(network::fit);
        long between = System.nanoTime();
        minibatches.forEach(minibatch -> replica.fit(minibatch, predictions));
        ofReplica[turn] = System.nanoTime() - between;
        ofNetwork[turn] = between - start;
      }
    }
    double cost = (double) median(ofReplica) / median(ofNetwork) - 1;
    System.out.printf("predictions and copies: %.1f %% of plain fit%n", 100 * cost);
    assertThat(cost).isLessThan(0.1);
  }

  private static MultiLayerNetwork network(Job job) {
    String configuration = job.check().initialModel().spec().configuration();
    MultiLayerNetwork network =
        new MultiLayerNetwork(MultiLayerConfiguration.fromJson(configuration));
    network.init();
    return network;
  }

  private static long median(long[] durations) {
    return LongStream.of(durations).sorted().skip(TURNS / 2).findFirst().orElseThrow();
  }
}
