package dev.millrace.benchmark.spark;

import dev.millrace.benchmark.peer.Learned;
import dev.millrace.benchmark.peer.Workload;
import dev.millrace.benchmark.peer.WorkloadShape;
import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.deeplearning4j.spark.api.TrainingMaster;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.nd4j.linalg.dataset.DataSet;

/**
 * DL4J's parameter averaging on Spark, with two workers as threads of this process. Nothing listens
 * but on the loopback interface.
 */
final class SparkTraining {

  private static final int WORKERS = 2;
  private static final int AVERAGING_FREQUENCY = 3;

  /** Averages that the workers make in the warm-up, which only has a part of the workload. */
  private static final int WARM_UP_AVERAGES = 16;

  private SparkTraining() {}

  /**
   * Learns the workload, pass after pass, until the time is up. What is measured are whole passes:
   * a pass is one call of {@code fit}. What counts is what the workers learn, which is less than
   * they are given: of what falls to a worker for an average, it drops what exceeds its share.
   *
   * @param time at least
   */
  static Learned measure(Setting setting, Workload workload, Duration time) {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[%s]".formatted(WORKERS))
            .setAppName("millrace-benchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    setting.configure(conf);
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      return measure(spark, setting, workload, time);
    }
  }

  private static Learned measure(
      JavaSparkContext spark, Setting setting, Workload workload, Duration time) {
    WorkloadShape shape = workload.examples().shape();
    List<DataSet> minibatches = workload.examples().minibatches();
    int some = Math.min(minibatches.size(), WARM_UP_AVERAGES * WORKERS * AVERAGING_FREQUENCY);
    JavaRDD<DataSet> all = setting.prepare(spark.parallelize(minibatches));
    // Cached before the clock starts, if it is to be cached.
    if (all.count() != shape.minibatches()) {
      throw new IllegalStateException("Spark does not have the minibatches that it was given");
    }
    TrainingMaster<?, ?> master = master(setting, shape.batch());
    SparkDl4jMultiLayer network = new SparkDl4jMultiLayer(spark, workload.newNetwork(), master);
    try {
      network.fit(setting.prepare(spark.parallelize(minibatches.subList(0, some))));
      return measure(network, all, time);
    } finally {
      // Minibatches as files.
      master.deleteTempFiles(spark);
    }
  }

  private static Learned measure(
      SparkDl4jMultiLayer network, JavaRDD<DataSet> minibatches, Duration time) {
    long before = LearnedExamples.count();
    long start = System.nanoTime();
    Duration spent = Duration.ZERO;
    while (spent.compareTo(time) < 0) {
      network.fit(minibatches);
      spent = Duration.ofNanos(System.nanoTime() - start);
    }
    return new Learned(LearnedExamples.count() - before, spent);
  }

  private static TrainingMaster<?, ?> master(Setting setting, int batch) {
    ParameterAveragingTrainingMaster.Builder master =
        new ParameterAveragingTrainingMaster.Builder(batch)
            .batchSizePerWorker(batch)
            .averagingFrequency(AVERAGING_FREQUENCY)
            .trainingHooks(new LearnedExamples());
    setting.configure(master);
    return master.build();
  }
}
