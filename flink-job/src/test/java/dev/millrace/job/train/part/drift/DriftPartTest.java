package dev.millrace.job.train.part.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.drift.Detection;
import dev.millrace.exchange.drift.DriftRules;
import dev.millrace.exchange.drift.Reactions;
import dev.millrace.exchange.steering.ExampleSignals;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriftPartTest {

  private final DriftPart part = new DriftPart();

  @Test
  void trainingIsSteeredAsOptionsSay() {
    assertThat(part.coordinatorHook(context(Map.of(), true))).isEmpty();
    PartContext some =
        context(
            Map.of(
                "drift.detector", "adwin;kswin;adwin",
                "drift.confidence", "0.001",
                "drift.reaction", "smaller-batches;publish",
                "drift.examples", "500"),
            true);

    assertThat(part.coordinatorHook(some))
        .contains(
            new DriftRules(
                new Detection(
                    List.of(Detection.Kind.ADWIN, Detection.Kind.KSWIN),
                    Detection.Features.NONE,
                    0.001,
                    0.01,
                    100),
                new Reactions(1, 0.125, 500, true, 2_000)));
    assertThat(part.coordinatorHook(some).orElseThrow().signals())
        .isEqualTo(new ExampleSignals(true, false));
  }

  @Test
  void meansThatNobodyKnowsAreNotLookedAt() {
    PartContext raw = context(Map.of("drift.features", "adwin"), false);

    assertThatThrownBy(() -> part.coordinatorHook(raw))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("features aren't standardized");
  }

  private static PartContext context(Map<String, String> options, boolean standardizes) {
    return new PartContext(
        OptionReader.configuration(options),
        new ExampleShape(4, 3, Target.CLASSIFICATION),
        standardizes);
  }
}
