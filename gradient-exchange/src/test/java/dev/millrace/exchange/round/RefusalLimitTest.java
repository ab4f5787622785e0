package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.model.Ledger;
import org.junit.jupiter.api.Test;

class RefusalLimitTest {

  private static final Refusal REFUSAL = new Refusal(3, new Ledger(), "values that exploded");

  @Test
  void saysWhatIsWrongAndWhatToDoOnceItIsExceeded() {
    RefusalLimit limit = new RefusalLimit(2, "Allow more.");

    assertThat(limit.exceeded(2, REFUSAL)).isEmpty();
    assertThat(limit.exceeded(3, REFUSAL))
        .hasValue(
            "3 contributions in a row of replica 3 were left out of the model, and at most 2 may"
                + " be. Of the newest: values that exploded. Allow more.");
  }

  @Test
  void noneIsNeverExceeded() {
    assertThat(RefusalLimit.NONE.exceeded(Integer.MAX_VALUE, REFUSAL)).isEmpty();
  }
}
