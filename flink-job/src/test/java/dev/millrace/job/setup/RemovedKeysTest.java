package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that options had once: unknown, with a hint that leads to what they are called now. */
class RemovedKeysTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          checkpoint.interval         | did you mean execution.checkpointing.interval?
          checkpoint.directory        | did you mean execution.checkpointing.dir?
          exchange.frequency          | 'millrace options frequency'
          exchange.codec              | did you mean exchange.codec.contributions?
          exchange.feedback-codec     | 'millrace options codec'
          exchange.patience           | 'millrace options patience'
          codec.threshold.rule        | did you mean exchange.codec.threshold.rule?
          codec.threshold.least-share | 'millrace options share'
          codec.top-k.share           | 'millrace options share'
          stop.patience               | 'millrace options patience'
          stop.least-improvement      | did you mean stop.min-improvement?
          input.csv.classes           | did you mean input.classes?
          model.devices               | did you mean model.device?
          """)
  void isUnknownAndTheHintIsOfUse(String key, String hint) {
    assertThatThrownBy(() -> JobOptions.checkEach(OptionReader.configuration(Map.of(key, "1"))))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(key + " is not an option; " + hint);
  }

  @ParameterizedTest
  @CsvSource({
    "frequency, exchange.local-steps",
    "feedback, exchange.codec.feedback",
    "patience, exchange.straggler-wait",
    "patience, stop.examples-without-improvement"
  })
  void aWordLeadsToTheOption(String word, String key) {
    List<String> found =
        MillraceOptions.settings().filter(s -> s.mentions(word)).map(Setting::key).toList();

    assertThat(found).contains(key);
  }
}
