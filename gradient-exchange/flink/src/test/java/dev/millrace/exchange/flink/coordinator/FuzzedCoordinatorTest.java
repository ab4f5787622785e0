package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.StopRules;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a savepoint has of its coordinator, of any bytes, is read or refused by an exception. */
class FuzzedCoordinatorTest {

  private static final Fuzz FUZZ = new Fuzz(IOException.class, RuntimeException.class);

  @Test
  void statesAreReadOrRefused() throws IOException {
    assertThat(states(3_000)).isGreaterThan(300);
  }

  static int states(int count) throws IOException {
    CoordinatorSetup setup = new CoordinatorSetup();
    setup.statistics(new FeatureStatistics(1));
    setup.stop(new StopRules(Duration.ofSeconds(10), 0, 0, 0, 0));
    byte[] whole = CoordinatorState.open(setup.settings(), List.of()).toBytes(true);
    return FUZZ.run(count, mutations -> CoordinatorState.read(mutations.bytes(whole)));
  }
}
