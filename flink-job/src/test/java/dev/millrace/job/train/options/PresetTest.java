package dev.millrace.job.train.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PresetTest {

  @ParameterizedTest
  @EnumSource
  void setsOptionsThatThereAreToRightValues(Preset preset) {
    Configuration completed = complete(Map.of("exchange.preset", preset.toString()));

    assertThat(completed.keySet()).contains("exchange.schedule", "exchange.codec.contributions");
    JobOptions.checkEach(completed);
  }

  @Test
  void whatIsSetItselfStays() {
    Configuration completed =
        complete(Map.of("exchange.preset", "gradient-sharing", "exchange.local-steps", "4"));

    assertThat(completed.get(ExchangeOptions.LOCAL_STEPS)).isEqualTo(4);
    assertThat(completed.get(ExchangeOptions.AGGREGATOR)).isEqualTo("sum");
  }

  @Test
  void withoutOneNothingIsSet() {
    assertThat(complete(Map.of("exchange.local-steps", "4")).toMap()).hasSize(1);
    assertThat(complete(Map.of("exchange.preset", "gossip")).toMap()).hasSize(1);
  }

  private static Configuration complete(Map<String, String> options) {
    return Preset.complete(OptionReader.configuration(options));
  }
}
