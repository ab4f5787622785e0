package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Broker;
import dev.millrace.job.testing.Job;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Examples a second that LeNet learns from at batch 32: one plain {@code fit}, DL4J's
 * ParallelWrapper with two workers, and Millrace with two replicas, from a broker, with checkpoints
 * every 5 s. They take turns, so that what else the machine does hits them alike; ratios are of
 * medians. One OpenMP thread each.
 */
class PeersBenchmark {

  private static final int TURNS = 3;
  private static final int MINIBATCHES = 400;

  @TempDir Path directory;

  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  @Test
  void millraceIsFasterThanParallelWrapper() throws Exception {
    Images images = new Images(MINIBATCHES);
    List<DataSet> minibatches = images.minibatches();
    String topic = Broker.topic(2);
    List<byte[]> records = images.records();
    Broker.produce(topic, 0, records.subList(0, records.size() / 2));
    Broker.produce(topic, 1, records.subList(records.size() / 2, records.size()));

    for (int turn = 0; turn < TURNS; turn++) {
      MultiLayerNetwork initial = lenet(topic, "unused").initialNetwork();
      note("plain fit", plainFit(initial.clone(), minibatches));
      note("ParallelWrapper, 2 workers", parallelWrapper(initial.clone(), minibatches));
      note("Millrace, 2 replicas, sync", millrace(topic, "sync-" + turn, "sync"));
      note("Millrace, 2 replicas, overlap", millrace(topic, "overlap-" + turn, "overlap"));
    }

    double wrapper = median("ParallelWrapper, 2 workers");
    rates.forEach(
        (what, turns) ->
            System.out.printf(
                "| %s | %.0f | %.2f |%n", what, median(what), median(what) / wrapper));
    assertThat(median("Millrace, 2 replicas, sync") / wrapper)
        .as("examples a second, as a multiple of ParallelWrapper's")
        .isGreaterThan(1.2);
  }

  private static double plainFit(MultiLayerNetwork network, List<DataSet> minibatches) {
    List<DataSet> half = minibatches.subList(0, minibatches.size() / 2);
    warmUp(network, half);
    long start = System.nanoTime();
    half.forEach(network::fit);
    return rate(half, start);
  }

  private static double parallelWrapper(MultiLayerNetwork network, List<DataSet> minibatches) {
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network)
            .workers(2)
            .averagingFrequency(Lenet.FREQUENCY)
            .averageUpdaters(true)
            .prefetchBuffer(16)
            .build();
    // The first call makes the workers and their networks.
    wrapper.fit(new ListDataSetIterator<>(minibatches.subList(0, 12), Images.BATCH));
    long start = System.nanoTime();
    wrapper.fit(new ListDataSetIterator<>(minibatches, Images.BATCH));
    double rate = rate(minibatches, start);
    wrapper.shutdown();
    return rate;
  }

  /** From the first report to the last. */
  private double millrace(String topic, String name, String schedule) throws Exception {
    Job job = lenet(topic, name).set("exchange.schedule", schedule).run();
    List<JsonNode> reports = job.metrics("progress");
    JsonNode first = reports.get(0);
    JsonNode last = reports.get(reports.size() - 1);
    long examples = last.get("examples").asLong() - first.get("examples").asLong();
    return examples * 1e3 / (last.get("time").asLong() - first.get("time").asLong());
  }

  private Job lenet(String topic, String name) {
    return Lenet.job(topic, directory.resolve(name));
  }

  private static void warmUp(MultiLayerNetwork network, List<DataSet> minibatches) {
    minibatches.subList(0, 12).forEach(network::fit);
  }

  private static double rate(List<DataSet> minibatches, long start) {
    return minibatches.size() * Images.BATCH * 1e9 / (System.nanoTime() - start);
  }

  private void note(String what, double rate) {
    System.out.printf("%s: %.0f examples/s%n", what, rate);
    rates.computeIfAbsent(what, any -> new ArrayList<>()).add(rate);
  }

  private double median(String what) {
    return rates.get(what).stream().sorted().skip(TURNS / 2).findFirst().orElseThrow();
  }
}
