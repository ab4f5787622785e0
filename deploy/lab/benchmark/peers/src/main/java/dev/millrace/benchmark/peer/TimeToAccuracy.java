package dev.millrace.benchmark.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.dataset.DataSet;

/** How long a {@link Training} takes to an accuracy on examples that it never learns from. */
final class TimeToAccuracy {

  /**
   * Minibatches of a worker from one evaluation to the next. A whole number of averages, so that
   * the network that is evaluated is always all workers'.
   */
  static final int CHUNK = 16 * ParallelWrapperTraining.AVERAGING_FREQUENCY;

  private static final Duration WARM_UP = Duration.ofSeconds(5);

  private TimeToAccuracy() {}

  /**
   * Starts with the workload's new network, after another one, thrown away, has warmed up the
   * process: what is compared are the trainings, and not how soon code is compiled.
   *
   * @param target accuracy, 0 to 1
   * @param mostPasses over the workload after which it gives up, rounded up to a whole chunk
   */
  static Accuracy measure(
      Training training, Workload workload, Examples holdOut, double target, int mostPasses) {
    return measure(training, workload, holdOut, target, mostPasses, WARM_UP);
  }

  static Accuracy measure(
      Training training,
      Workload workload,
      Examples holdOut,
      double target,
      int mostPasses,
      Duration warmUp) {
    List<DataSet> minibatches = workload.examples().minibatches();
    training.train(workload.newNetwork(), minibatches, new Stopwatch(Duration.ZERO, warmUp));

    MultiLayerNetwork network = workload.newNetwork();
    List<DataSet> heldOut = new ArrayList<>(holdOut.minibatches());
    heldOut.addAll(holdOut.remainder());
    WorkloadShape shape = workload.examples().shape();
    AccuracyWatch watch =
        new AccuracyWatch(
            (long) CHUNK * training.workers() * shape.batch(),
            (long) mostPasses * shape.minibatches() * shape.batch(),
            target,
            () -> accuracy(network, heldOut),
            System::nanoTime);
    training.train(network, minibatches, watch);
    return watch.result();
  }

  private static double accuracy(MultiLayerNetwork network, List<DataSet> examples) {
    Evaluation evaluation = new Evaluation();
    for (DataSet some : examples) {
      evaluation.eval(some.getLabels(), network.output(some.getFeatures(), false));
    }
    return evaluation.accuracy();
  }
}
