package dev.millrace.dl4j.evaluate;

import dev.millrace.dl4j.TrainingContext;
import dev.millrace.dl4j.run.LocalHandle;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Asks a network by a Flink job: each worker has a copy of it, and one part of the data. A part
 * that is done again after a failure counts once.
 */
final class NetworkJob {

  private static final int RESTARTS = 3;

  private final TrainingContext context;
  private final Model network;
  private final int workers;

  NetworkJob(TrainingContext context, Model network, int workers) {
    this.context = context;
    this.network = network;
    this.workers = workers;
  }

  /** Returns the results of the parts, in the order of the data; none where there is no data. */
  @SuppressWarnings("unchecked") // The work has left them.
  <R extends Serializable> List<R> run(List<? extends MultiDataSet> items, NetworkWork<R> work) {
    if (items.isEmpty()) {
      return List.of();
    }
    List<? extends List<? extends MultiDataSet>> parts = parts(items);
    try {
      List<?> results = context.isEmbedded() ? runHere(parts, work) : runElsewhere(parts, work);
      return (List<R>) results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The network was asked, and that was interrupted", e);
    } catch (ExecutionException e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      throw new IllegalStateException("The network can't be asked: " + root.getMessage(), root);
    } catch (IOException e) {
      throw new IllegalStateException("The network can't be asked: " + e.getMessage(), e);
    }
  }

  private List<? extends List<? extends MultiDataSet>> parts(List<? extends MultiDataSet> items) {
    int count = Math.min(workers, items.size());
    List<List<? extends MultiDataSet>> parts = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      int from = Math.toIntExact(i * items.size() / count);
      int to = Math.toIntExact((i + 1) * items.size() / count);
      parts.add(items.subList(from, to));
    }
    return parts;
  }

  private List<Serializable> runHere(
      List<? extends List<? extends MultiDataSet>> parts, NetworkWork<?> work)
      throws InterruptedException, ExecutionException {
    OpenDesk desk = new OpenDesk(network, parts);
    try (LocalHandle<OpenDesk> handle = LocalHandle.of(desk)) {
      execute(parts.size(), new LocalDesk(handle), work);
    }
    return desk.results();
  }

  private List<Serializable> runElsewhere(
      List<? extends List<? extends MultiDataSet>> parts, NetworkWork<?> work)
      throws IOException, InterruptedException, ExecutionException {
    StoredDesk desk = new StoredDesk(context.newDirectory());
    try {
      desk.lay(network, parts);
      execute(parts.size(), desk, work);
      List<Serializable> results = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        results.add(desk.result(i));
      }
      return results;
    } finally {
      desk.clear();
    }
  }

  private void execute(int parts, Desk desk, NetworkWork<?> work)
      throws InterruptedException, ExecutionException {
    StreamExecutionEnvironment environment = context.environment(flink(), parts);
    environment.setParallelism(parts);
    environment
        .fromSource(
            new NumberSequenceSource(0, parts - 1L), WatermarkStrategy.noWatermarks(), "parts")
        .map(new PartTask(desk, work))
        .name("network")
        .sinkTo(new DiscardingSink<>());
    JobClient job = submit(environment);
    try {
      job.getJobExecutionResult().get();
    } catch (InterruptedException e) {
      job.cancel().get();
      throw e;
    }
  }

  private static JobClient submit(StreamExecutionEnvironment environment)
      throws ExecutionException {
    try {
      return environment.executeAsync("evaluate");
    } catch (Exception e) {
      throw new ExecutionException(e);
    }
  }

  private static Configuration flink() {
    Configuration flink = new Configuration();
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, RESTARTS);
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    return flink;
  }
}
