package dev.millrace.benchmark.figure;

import java.util.List;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * How long a round takes with N replicas, a model of S megabytes, and P processes. Each round has a
 * {@code fixed} part. The coordinator is one task, and takes its time for each replica, one after
 * another. Every replica has its {@code own} work, which is the same for any model, and makes its
 * {@code passes} over the model: replicas with processors of their own do that side by side. Of
 * what is exchanged, the share (P − 1) / P has to be {@code carried} to another process: of every
 * replica its change, and to every process the new model, (N + P) · S in all. The exchange is
 * sharded over the processes, so each of N machines carries 2 S at most, whatever N is.
 *
 * @param coordinator seconds for a replica; measured, since it can't be told from {@code own} where
 *     all share one machine
 * @param fixed seconds
 * @param own seconds of one processor for a replica: messages, and waking up
 * @param passes seconds of one processor for a megabyte of a replica: encode, combine, apply
 * @param carried seconds of one processor for a megabyte, sender and receiver together: through
 *     buffers and sockets
 */
record RoundTime(double coordinator, double fixed, double own, double passes, double carried) {

  /** One measured round: of how many replicas in how many processes, and how long it took. */
  record Measured(int replicas, int processes, double megabytes, double seconds) {}

  /**
   * The constants that fit best, every measurement weighing the same whatever its length.
   *
   * @param coordinator as measured
   * @param processors that all replicas of the measurements shared
   */
  static RoundTime fit(List<Measured> measured, double coordinator, int processors) {
    double[] ones = new double[measured.size()];
    double[][] terms = new double[measured.size()][];
    for (int i = 0; i < ones.length; i++) {
      Measured one = measured.get(i);
      double used = Math.min(processors, one.replicas());
      ones[i] = 1 - coordinator * one.replicas() / one.seconds();
      terms[i] =
          new double[] {
            1 / one.seconds(),
            one.replicas() / used / one.seconds(),
            one.replicas() * one.megabytes() / used / one.seconds(),
            megabytesCarried(one.replicas(), one.processes(), one.megabytes())
                / used
                / one.seconds()
          };
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(ones, terms);
    double[] constants = regression.estimateRegressionParameters();
    return new RoundTime(coordinator, constants[0], constants[1], constants[2], constants[3]);
  }

  private static double megabytesCarried(int replicas, int processes, double megabytes) {
    return (replicas + processes) * megabytes * (processes - 1) / processes;
  }

  /** Seconds of a round where replicas share processors and no network is between processes. */
  double onOneMachine(int replicas, int processes, double megabytes, int processors) {
    double work =
        replicas * (own + passes * megabytes)
            + carried * megabytesCarried(replicas, processes, megabytes);
    return fixed + coordinator * replicas + work / Math.min(processors, replicas);
  }

  /**
   * Seconds of a round where each replica has a machine of its own: its change goes out and as much
   * comes in for it to combine, then its part of the model goes out to all and the whole comes in.
   *
   * @param link megabytes a second, each way at a time
   */
  double onMachines(int replicas, double megabytes, double link) {
    double carriedHere = megabytesCarried(replicas, replicas, megabytes) / replicas;
    return fixed
        + coordinator * replicas
        + own
        + passes * megabytes
        + carried * carriedHere
        + carriedHere / link;
  }

  /**
   * The share of their time that replicas learn in, when they wait for each round.
   *
   * @param learning seconds between two contributions of a replica
   */
  double efficiency(int replicas, double megabytes, double link, double learning) {
    return learning / (learning + onMachines(replicas, megabytes, link));
  }

  /**
   * Returns the share of their time that replicas learn in, when they learn while a round is made:
   * of the exchange they only make their passes, where another processor of their machine carries.
   * A round that takes longer than they learn between two contributions is waited for.
   */
  double overlapped(int replicas, double megabytes, double link, double learning) {
    double busy = learning + own + passes * megabytes;
    return learning / Math.max(busy, onMachines(replicas, megabytes, link));
  }
}
