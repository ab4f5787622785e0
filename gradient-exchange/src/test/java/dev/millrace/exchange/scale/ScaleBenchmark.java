package dev.millrace.exchange.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.scale.Traffic.Kind;
import dev.millrace.exchange.scale.Traffic.Sent;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * What a start and a round of a job take of coordinator and network, at 64, 256 and 1000 replicas:
 * with the real coordinator, blocks and replicas, and counted messages. Prints the tables of
 * docs/internals/scale.md.
 *
 * <pre>
 * mvn -T1 -Pbenchmark verify -pl gradient-exchange -am -Dit.test=ScaleBenchmark -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>Blocks are counted few, and multiplied: all are alike.
 */
public class ScaleBenchmark {

  private static final int[] REPLICAS = {64, 256, 1000};
  private static final int COUNTED = 20;
  private static final int PER_PROCESS = 8;
  private static final int ROUNDS = 50;

  /** Of float32, in blocks of 64 kB, as by default. */
  private static final double PARAMETERS = 100e6;

  private static final double BLOCKS = Math.ceil(PARAMETERS * Float.BYTES / (1 << 16));

  @Test
  public void tables() {
    System.out.println(
        "| replicas | in processes of | start, control | round, control | of values | messages a"
            + " round | coordinator, a replica and round |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
    for (int replicas : REPLICAS) {
      for (int perProcess : new int[] {1, 8}) {
        System.out.println(row(replicas, perProcess));
      }
    }
  }

  /** What comes into each shard, of which every process has one, with 8 replicas a process. */
  @Test
  public void intoShards() {
    System.out.println(
        "| replicas | into a shard, each contribution | combined by process | more control |");
    System.out.println("| --- | --- | --- | --- |");
    for (int replicas : REPLICAS) {
      int shards = (replicas + PER_PROCESS - 1) / PER_PROCESS;
      Traffic direct = round(replicas, false);
      Traffic gathered = round(replicas, true);
      System.out.printf(
          Locale.ROOT,
          "| %d | %.0f MB | %.0f MB | %.3f MB in all |%n",
          replicas,
          intoShards(direct, Kind.CONTRIBUTION) / shards / 1e6,
          intoShards(gathered, Kind.PART) / shards / 1e6,
          gathered.of(Kind.ORDER).control() / 1e6);
    }
  }

  private static Traffic round(int replicas, boolean gathers) {
    ScaledJob job = new ScaledJob(replicas, PER_PROCESS, COUNTED, gathers);
    job.round();
    job.traffic.clear();
    job.round();
    return job.traffic;
  }

  private static double intoShards(Traffic traffic, Kind kind) {
    double values = PARAMETERS * Float.BYTES * traffic.of(kind).messages() / COUNTED;
    return values
        + (traffic.of(kind).control() + traffic.of(Kind.DECISION).control()) * BLOCKS / COUNTED;
  }

  private static String row(int replicas, int perProcess) {
    ScaledJob job = new ScaledJob(replicas, perProcess, COUNTED);
    double start = control(job.traffic);
    for (int round = 0; round < ROUNDS; round++) {
      job.round();
    }
    job.traffic.clear();
    job.takeCoordinatorNanos();
    for (int round = 0; round < ROUNDS; round++) {
      job.round();
    }
    assertThat(job.allAreReleased()).isTrue();
    double control = control(job.traffic) / ROUNDS;
    double processes = Math.ceil((double) replicas / perProcess);
    double values = PARAMETERS * Float.BYTES * (replicas + processes);
    return String.format(
        Locale.ROOT,
        "| %d | %d | %.1f MB | %.1f MB | %.2f %% | %,.0f | %.4f ms |",
        replicas,
        perProcess,
        start / 1e6,
        control / 1e6,
        100 * control / values,
        messages(job.traffic) / ROUNDS,
        job.takeCoordinatorNanos() / 1e6 / ROUNDS / replicas);
  }

  /** Bytes that aren't values, of all blocks of the model. */
  private static double control(Traffic traffic) {
    double all = 0;
    for (Kind kind : Kind.values()) {
      all += traffic.of(kind).control() * blocksFor(kind);
    }
    return all;
  }

  private static double messages(Traffic traffic) {
    double all = 0;
    for (Kind kind : Kind.values()) {
      Sent sent = traffic.of(kind);
      all += sent.messages() * blocksFor(kind);
    }
    return all;
  }

  private static double blocksFor(Kind kind) {
    return switch (kind) {
      case PULL, DECISION, CONTRIBUTION, PART, DELIVERY -> BLOCKS / COUNTED;
      case HELLO, ANNOUNCEMENT, HEAD, ORDER -> 1;
    };
  }
}
