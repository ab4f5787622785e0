package dev.millrace.job.train.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.replay.Keep;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.part.population.PopulationOptions;
import dev.millrace.job.train.part.replay.ReplayOptions;
import dev.millrace.job.train.setup.OptionalParts;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobPresetTest {

  @ParameterizedTest
  @EnumSource
  void setsOptionsThatThereAreToRightValues(JobPreset preset) {
    Configuration completed = complete(Map.of("preset", preset.toString(), "model.name", "mlp"));

    assertThat(completed.keySet()).contains("batch.size", "model.population.learning-rates");
    // Seven to each fresh one: as many as a member takes at most.
    assertThat(completed.get(ReplayOptions.SHARE)).isEqualTo(7 / 8.0);
    assertThat(completed.get(ReplayOptions.SIZE)).isEqualTo(2000);
    assertThat(completed.get(ReplayOptions.KEEP)).isEqualTo(Keep.RECENT);
    JobOptions.checkEach(completed);
  }

  @Test
  void whatIsSetItselfStays() {
    Configuration completed =
        complete(Map.of("preset", "streaming", "model.name", "mlp", "batch.size", "8"));

    assertThat(completed.get(BatchOptions.SIZE)).isEqualTo(8);
    assertThat(completed.get(BatchOptions.LOCAL_SIZE)).isEqualTo(1);
  }

  @Test
  void modelsThatSayHowTheyLearnAreLeftAsTheyAre() {
    Configuration completed = complete(Map.of("preset", "streaming", "model.archive", "a.zip"));

    assertThat(completed.contains(BatchOptions.SIZE)).isTrue();
    assertThat(completed.keySet())
        .noneMatch(key -> key.startsWith("model.population") || key.startsWith("replay."));
  }

  /** It says how many replayed examples each of its own members learns. */
  @Test
  void membersOfOnesOwnLearnAllThatIsReplayed() {
    Configuration completed =
        complete(
            Map.of(
                "preset", "streaming",
                "model.name", "mlp",
                "model.population.learning-rates", "0.01;0.1;1"));

    assertThat(completed.contains(PopulationOptions.REPLAY)).isFalse();
    assertThat(completed.toMap()).containsEntry("replay.share", "0.875");
  }

  @Test
  void withoutOneNothingIsSet() {
    assertThat(complete(Map.of("batch.size", "4")).toMap()).hasSize(1);
    assertThat(complete(Map.of("preset", "batch")).toMap()).hasSize(1);
  }

  private static Configuration complete(Map<String, String> options) {
    return OptionalParts.complete(OptionReader.configuration(options));
  }
}
