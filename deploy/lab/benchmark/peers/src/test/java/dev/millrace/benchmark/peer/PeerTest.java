package dev.millrace.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
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
    requireLearned(Peers.named(name).measure(Workloads.tiny(), WARM_UP, TIME));
  }

  @ParameterizedTest
  @CsvSource({"torch-fit, nesterovs", "torch-limit, adam"})
  void soDoPyTorchsNetworks(String name, String updater, @TempDir Path directory) throws Exception {
    requireLearned(Peers.named(name).measure(Workloads.torch(directory, updater), WARM_UP, TIME));
  }

  /** Lower losses than of a network that knows nothing, after as many steps as there are. */
  @Test
  void pyTorchsNetworksBecomeBetter(@TempDir Path directory) throws Exception {
    Workload workload = Workloads.torch(directory, "nesterovs");
    try (TorchLearner learner =
        new TorchLearner(workload.torch().orElseThrow(), workload.examples())) {
      assertThat(learner.loss()).isCloseTo(Math.log(3), within(1e-3));

      learner.learn(learned -> learned < 40L * Workloads.BATCH);

      assertThat(learner.loss()).isLessThan(0.5);
    }
  }

  private static void requireLearned(Learned learned) {
    // How much longer its last round takes is a matter of the machine.
    assertThat(learned.time()).isGreaterThanOrEqualTo(TIME);
    assertThat(learned.examples())
        .isPositive()
        .isLessThan(learned.time().dividedBy(SHORTEST_FIT) * WORKERS * Workloads.BATCH);
    assertThat(learned.examples() % Workloads.BATCH).isZero();
  }
}
