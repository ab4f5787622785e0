package dev.millrace.model.population;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
final class FuzzedPopulationsIT {

  @Test
  void aMillionAreReadOrRefused() throws IOException {
    assertThat(FuzzedPopulationsTest.files(Fuzz.nightly())).isPositive();
  }
}
