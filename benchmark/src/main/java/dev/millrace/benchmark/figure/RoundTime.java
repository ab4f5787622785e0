package dev.millrace.benchmark.figure;

import java.util.List;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * How long a round takes: {@code fixed + perReplica · N + perMegabyte · S} seconds, of a model of S
 * megabytes, where each of the N replicas has processors of its own. The exchange is sharded over
 * the replicas' machines, so each combines S/N of every replica's change: S in all, whatever N is.
 * On one machine with P processors, N replicas share them, and S counts N/P times.
 *
 * @param fixed seconds
 * @param perReplica seconds: a round's messages, and the roster's work
 * @param perMegabyte seconds of one processor: encode, send, combine, receive, apply
 */
record RoundTime(double fixed, double perReplica, double perMegabyte) {

  /** One measured round: of how many replicas, which model, and how long it took. */
  record Measured(int replicas, double megabytes, double seconds) {}

  /**
   * The constants that fit best, every measurement weighing the same whatever its length.
   *
   * @param processors that all replicas of the measurements shared
   */
  static RoundTime fit(List<Measured> measured, int processors) {
    double[] ones = new double[measured.size()];
    double[][] terms = new double[measured.size()][];
    for (int i = 0; i < ones.length; i++) {
      Measured one = measured.get(i);
      ones[i] = 1;
      terms[i] =
          new double[] {
            1 / one.seconds(),
            one.replicas() / one.seconds(),
            one.megabytes() * sharing(one.replicas(), processors) / one.seconds()
          };
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(ones, terms);
    double[] constants = regression.estimateRegressionParameters();
    return new RoundTime(constants[0], constants[1], constants[2]);
  }

  private static double sharing(int replicas, int processors) {
    return Math.max(1, replicas / (double) processors);
  }

  /** Seconds of a round where replicas share processors and send nothing over a network. */
  double onOneMachine(int replicas, double megabytes, int processors) {
    return fixed + perReplica * replicas + perMegabyte * megabytes * sharing(replicas, processors);
  }

  /**
   * Seconds of a round where each replica has a machine of its own: its change goes out and as much
   * comes in for it to combine, then its part of the model goes out to all and the whole comes in.
   *
   * @param link megabytes a second, each way at a time
   */
  double onMachines(int replicas, double megabytes, double link) {
    return fixed + perReplica * replicas + perMegabyte * megabytes + 2 * megabytes / link;
  }

  /**
   * The share of their time that replicas learn in, when they wait for each round.
   *
   * @param learning seconds between two contributions of a replica
   */
  double efficiency(int replicas, double megabytes, double link, double learning) {
    return learning / (learning + onMachines(replicas, megabytes, link));
  }
}
