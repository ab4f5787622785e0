package dev.millrace.job.train.part.forgetting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.forgetting.OlderModelPenalty;
import dev.millrace.exchange.forgetting.OlderModelPenalty.Moment;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForgettingPartTest {

  @Test
  void replicasKeepTheOlderModelThatOptionsSay() {
    assertThat(new ForgettingPart().replicaHook(context(Map.of()))).isEmpty();
    assertThat(
            new ForgettingPart()
                .replicaHook(
                    context(
                        Map.of(
                            "forgetting.older-model", "periodic",
                            "forgetting.every", "700",
                            "forgetting.strength", "0.25",
                            "forgetting.importance", "fisher"))))
        .contains(new OlderModelPenalty(Moment.PERIODIC, 700, 0.25, 20, 0.9));
  }

  private static PartContext context(Map<String, String> options) {
    return new PartContext(
        OptionReader.configuration(options), new ExampleShape(4, 3, Target.CLASSIFICATION), true);
  }
}
