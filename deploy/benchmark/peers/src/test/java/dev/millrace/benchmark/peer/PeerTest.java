package dev.millrace.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PeerTest {

  private static final Duration WARM_UP = Duration.ofMillis(200);
  private static final Duration TIME = Duration.ofSeconds(1);

  /** No network learns from a minibatch faster. */
  private static final Duration SHORTEST_FIT = Duration.ofNanos(5_000);

  private static final int WORKERS = 2;

  @ParameterizedTest
  @ValueSource(
      strings = {"plain-fit", "parallel-wrapper", "parallel-wrapper-shared-gradients", "limit"})
  void learnsForTheTimeThatItIsTo(String name) throws Exception {
    Learned learned = Peers.named(name).measure(Workloads.tiny(), WARM_UP, TIME);

    assertThat(learned.time()).isBetween(TIME, TIME.multipliedBy(3));
    assertThat(learned.examples())
        .isPositive()
        .isLessThan(learned.time().dividedBy(SHORTEST_FIT) * WORKERS * Workloads.BATCH);
    assertThat(learned.examples() % Workloads.BATCH).isZero();
  }
}
