package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class FuzzedCoordinatorIT {

  @Test
  void aMillionStatesAreReadOrRefused() throws IOException {
    assertThat(FuzzedCoordinatorTest.states(Fuzz.nightly())).isPositive();
  }
}
