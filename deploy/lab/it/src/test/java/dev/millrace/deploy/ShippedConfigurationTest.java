package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.junit.jupiter.api.Test;

/** Settings of the shipped configuration that count on each other. */
class ShippedConfigurationTest {

  private static final Configuration SHIPPED =
      Configuration.fromMap(DeployFiles.shippedConfiguration());

  /**
   * Other tasks tell at once that a process is gone, and the job restarts after the first wait. If
   * its slots still count then, that restart fails, and the next waits longer.
   */
  @Test
  void aKilledTaskManagerIsMissedBeforeTheFirstRestart() {
    Duration missed =
        SHIPPED
            .get(HeartbeatManagerOptions.HEARTBEAT_INTERVAL)
            .multipliedBy(SHIPPED.get(HeartbeatManagerOptions.HEARTBEAT_RPC_FAILURE_THRESHOLD));

    assertThat(missed)
        .isLessThanOrEqualTo(
            SHIPPED.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF));
  }
}
