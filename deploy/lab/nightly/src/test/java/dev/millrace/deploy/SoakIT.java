package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.digits.Digits;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.Hosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A job that has trained for a while holds no more than when it had settled. {@code
 * -Dmillrace.soak.minutes=60} looks for what grows slowly.
 */
class SoakIT {

  private static final Duration LENGTH =
      Duration.ofMinutes(Long.getLong("millrace.soak.minutes", 12));

  private static final int LOOKS = 12;

  /** Until this look compilers and caches are at work. */
  private static final int SETTLED = LOOKS / 3;

  private static final double EXAMPLES_A_SECOND = 300;

  @Test
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  void nothingGrowsWhileAJobTrains() throws Exception {
    List<Footprint> looks = new ArrayList<>();
    try (TestCluster cluster = TestCluster.start("soak", plan(), Hosts.LOOPBACK)) {
      Topic topic = Topic.of(cluster.bootstrapServers(), "soak", 1, new Digits(1, 3));
      TrainingRun run =
          new TrainingRun(
              cluster.flink(),
              topic,
              cluster.directory().resolve("soak"),
              Map.of("input.bounded", "false", "snapshot.interval", "2 s"));
      long pid = cluster.process("taskmanager-1").pid();
      try (SteadyProducer examples =
          SteadyProducer.start(
              KafkaCluster.at(topic.bootstrapServers()), topic.name(), EXAMPLES_A_SECOND)) {
        run.submit(1);
        run.awaitExamples(300);
        for (int look = 0; look < LOOKS; look++) {
          TimeUnit.MILLISECONDS.sleep(LENGTH.toMillis() / LOOKS);
          looks.add(Footprint.of(pid));
          Figures.tell("look %s: %s".formatted(look, looks.get(look)));
        }
        // Not all of them: a busy machine learns fewer than that rate.
        run.awaitExamples(Math.min(examples.end(), run.examples() + 300));
      }
    }
    requireFlat(looks, "heap", Footprint::heapKb, 20_000);
    requireFlat(looks, "metaspace", Footprint::metaspaceKb, 1_500);
    requireFlat(looks, "threads", Footprint::threads, 2);
    requireFlat(looks, "resident memory", Footprint::rssKb, 16_000);
    requireFlat(looks, "open files", Footprint::files, 3);
  }

  /**
   * Compares the second third of the looks with the last: what is there for a moment makes a look
   * greater, so that the least of each third tells of what stays.
   *
   * @param slack that it may grow by in a third of the time
   */
  private static void requireFlat(
      List<Footprint> looks, String what, ToLongFunction<Footprint> measure, long slack) {
    long settled = least(looks.subList(SETTLED, 2 * SETTLED), measure);
    long last = least(looks.subList(2 * SETTLED, LOOKS), measure);
    assertThat(last).as("%s: %s", what, looks).isLessThanOrEqualTo(settled + slack);
  }

  private static long least(List<Footprint> looks, ToLongFunction<Footprint> measure) {
    return looks.stream().mapToLong(measure).min().orElseThrow();
  }

  /** With the whole heap in memory from the start, so that what grows is something else. */
  private static ClusterPlan plan() {
    return TestCluster.plan(1, false, Map.of("env.java.opts.taskmanager", "-XX:+AlwaysPreTouch"));
  }
}
