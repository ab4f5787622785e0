package dev.millrace.job.train.part.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.OptionRules;
import dev.millrace.job.setup.OptionReader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RebuildPartTest {

  private static OptionRules checked(String onRecreatedTopic) {
    OptionRules rules =
        new OptionRules(
            OptionReader.configuration(
                Map.of("rebuild.log", "log", "input.on-recreated-topic", onRecreatedTopic)));
    new RebuildPart().check(rules, false);
    return rules;
  }

  /** Both would have records of the same names. */
  @Test
  void aTopicThatWasMadeAgainIsNotReadFromItsBeginning() {
    assertThat(checked("earliest").problems())
        .singleElement()
        .asString()
        .contains("input.on-recreated-topic is 'earliest'")
        .contains("a name of its own");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail", "continue"})
  void otherwiseItsRecordsAreThoseOfTheLog(String onRecreatedTopic) {
    assertThat(checked(onRecreatedTopic).problems()).isEmpty();
  }
}
