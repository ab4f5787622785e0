package dev.millrace.job.train.part.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.replay.HalfLife;
import dev.millrace.exchange.replay.Keep;
import dev.millrace.exchange.replay.ReplaySettings;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplayPartTest {

  private final ReplayPart part = new ReplayPart();

  @Test
  void replicasReplayWhatOptionsSay() {
    assertThat(part.replicaHook(context(Map.of()))).isEmpty();
    assertThat(
            part.replicaHook(
                context(
                    Map.of(
                        "replay.size", "7",
                        "replay.keep", "recent",
                        "replay.share", "0.25",
                        "replay.half-life", "50",
                        "replay.distillation", "0.1",
                        "model.seed", "3"))))
        .contains(new ReplaySettings(7, Keep.RECENT, 0.25, HalfLife.ofExamples(50), 0.1, 3));
  }

  /** Each of features and labels is in one array. */
  @Test
  void moreExamplesThanFitIntoAnArrayAreRefused() {
    assertThat(part.replicaHook(context(Map.of("replay.size", "29411764")))).isPresent();

    PartContext tooMany = context(Map.of("replay.size", "29411765"));
    assertThatThrownBy(() -> part.replicaHook(tooMany))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("replay.size is '29411765': with 14 features and 3 labels each")
        .hasMessageContaining("keep at most 29411764");
  }

  private static PartContext context(Map<String, String> options) {
    return new PartContext(
        OptionReader.configuration(options), new ExampleShape(14, 3, Target.CLASSIFICATION), true);
  }
}
