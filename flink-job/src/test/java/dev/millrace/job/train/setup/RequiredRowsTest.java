package dev.millrace.job.train.setup;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.replay.HalfLife;
import dev.millrace.exchange.replay.Keep;
import dev.millrace.exchange.replay.ReplaySettings;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parts are found by name: a build may lack that of rows, and features of ids would stay 0. */
class RequiredRowsTest {

  private static final ReplaySettings REPLAY =
      new ReplaySettings(1, Keep.RECENT, 0.5, HalfLife.NONE, 0, 1);

  @Test
  void idsWithoutAPartForRowsAreRefused() {
    assertThatThrownBy(
            () ->
                TrainingSetup.requireRows(
                    SummingEngine.spec(FieldShapes.ids(3), 1), List.of(REPLAY)))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(
            "This build has no rows of tables, and the field \"user\" takes those of the table"
                + " \"users\"; take one that has embedding tables");
    assertThatCode(
            () ->
                TrainingSetup.requireRows(
                    SummingEngine.spec(new ExampleShape(1, 3, Target.CLASSIFICATION), 1),
                    List.of(REPLAY)))
        .doesNotThrowAnyException();
  }
}
