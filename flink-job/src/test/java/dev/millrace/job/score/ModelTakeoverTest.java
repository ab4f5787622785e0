package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.MillraceMetrics;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import java.time.Instant;
import java.util.List;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A model that can't be put to work on the task's thread is refused there, and ends no task. */
class ModelTakeoverTest {

  private final ScoringMetrics metrics =
      new ScoringMetrics(MillraceMetrics.of(new UnregisteredMetricsGroup()));

  static Throwable[] failures() {
    return new Throwable[] {
      new OutOfMemoryError("Java heap space"),
      new StackOverflowError(),
      new NoClassDefFoundError("org/other/Layer"),
      new InvalidModelException("no good")
    };
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatGoesWrongRefusesTheModel(Throwable failure) {
    assertThat(attempt(true, failure)).isFalse();
    assertThat(attempt(false, failure)).isFalse();
  }

  @Test
  void anEngineThatCannotWorkEndsTheJobWhereNoModelServes() {
    UnusableEngineException unusable = new UnusableEngineException("no library");

    assertThat(attempt(true, unusable)).isFalse();
    assertThatThrownBy(() -> attempt(false, unusable)).isInstanceOf(NonRecoverableException.class);
  }

  /** To be tried again by a restart. */
  @Test
  void whatIsNoFaultOfTheModelIsThrown() {
    IllegalStateException other = new IllegalStateException("no device is free");

    assertThatThrownBy(() -> attempt(true, other)).isSameAs(other);
  }

  private boolean attempt(boolean another, Throwable failure) {
    GlobalModel telling = TellingModels.model(TellingModels.SHAPE, 1);
    ServedModel model =
        new ServedModel(
            telling.spec(),
            telling.version(),
            Instant.EPOCH,
            new float[telling.spec().parameters()],
            null,
            List.of());
    return ModelTakeover.attempt(model, another, () -> sneak(failure), metrics);
  }

  private static void sneak(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }
}
