package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Published data sets read whole, where the system property {@code millrace.data} names a directory
 * that has them.
 */
class PublishedDataTest {

  @ParameterizedTest
  @CsvSource({
    "electricity, 45312, 8, 2",
    "noaa_weather, 18159, 8, 2",
    "phishing, 11055, 46, 2",
    "covtype_first10k, 10000, 54, 7"
  })
  void streamsReadWhole(String name, long rows, int features, int classes) throws IOException {
    ExampleSet set = DataSpec.parse("csv:" + existing("streams/%s.csv.gz".formatted(name))).open();

    assertThat(set.shape().features()).isEqualTo(features);
    assertThat(set.shape().outputs()).isEqualTo(classes);
    long[] counts = Sequences.classCounts(set.training());
    assertThat(counts).doesNotContain(0);
    assertThat(Arrays.stream(counts).sum()).isEqualTo(rows);
  }

  @Test
  void fashionMnistReadsWhole() throws IOException {
    ExampleSet set = DataSpec.parse("idx:" + existing("fashion-mnist")).open();

    assertThat(set.image()).hasValue(new ImageSize(28, 28));
    assertThat(Sequences.classCounts(set.training())).hasSize(10).containsOnly(6_000);
    assertThat(Sequences.classCounts(set.holdOut())).hasSize(10).containsOnly(1_000);
  }

  private static Path existing(String name) {
    Path path = Path.of(System.getProperty("millrace.data", "data"), name);
    assumeThat(path).exists();
    return path;
  }
}
