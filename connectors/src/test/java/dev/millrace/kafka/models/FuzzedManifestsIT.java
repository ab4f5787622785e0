package dev.millrace.kafka.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Fuzz;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class FuzzedManifestsIT {

  @Test
  void aMillionManifestsAreReadOrRefused() {
    assertThat(ModelManifestTest.fuzzed(Fuzz.nightly())).isPositive();
  }
}
