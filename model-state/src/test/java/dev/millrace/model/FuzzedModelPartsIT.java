package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
final class FuzzedModelPartsIT {

  @Test
  void aMillionFeatureFilesAreReadOrRefused() throws IOException {
    assertThat(FuzzedModelPartsTest.features(Fuzz.nightly())).isPositive();
  }

  @Test
  void aMillionDescriptionsOfFieldsAreCompared() {
    assertThat(FuzzedModelPartsTest.keptFields(Fuzz.nightly())).isZero();
  }

  @Test
  void aMillionStatesAreReadOrRefused() throws IOException {
    assertThat(FuzzedModelPartsTest.states(Fuzz.nightly())).isPositive();
  }
}
