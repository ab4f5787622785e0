package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ModelVersionTest {

  @Test
  void laterGenerationsComeAfterAllRoundsOfEarlierOnes() {
    assertThat(
            Stream.of(
                    new ModelVersion(1, 0),
                    new ModelVersion(0, 10),
                    new ModelVersion(0, 9),
                    new ModelVersion(1, 2))
                .sorted())
        .containsExactly(
            new ModelVersion(0, 9),
            new ModelVersion(0, 10),
            new ModelVersion(1, 0),
            new ModelVersion(1, 2));
  }

  @Test
  void isWrittenWithTheGenerationInFront() {
    assertThat(new ModelVersion(2, 1500)).hasToString("2.1500");
  }
}
