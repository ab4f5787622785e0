package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Fuzz;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
final class FuzzedDescriptionsIT {

  @Test
  void aMillionDescriptionsAreReadOrRefused() {
    assertThat(FuzzedDescriptionsTest.descriptions(Fuzz.nightly())).isPositive();
  }

  @Test
  void aMillionPointersAreReadOrRefused() {
    assertThat(FuzzedDescriptionsTest.pointers(Fuzz.nightly())).isPositive();
    assertThat(FuzzedDescriptionsTest.holds(Fuzz.nightly())).isPositive();
  }
}
