package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentMeasuresTest {

  @Test
  void theWindowIsTheNewestRoundsThatCoverIt() {
    RecentMeasures recent = new RecentMeasures(5);
    for (int round = 0; round < 10; round++) {
      recent.add(new Measures(2, 1, round, 0, 0));
    }

    assertThat(recent.sum()).isEqualTo(new Measures(6, 3, 7 + 8 + 9, 0, 0));
  }

  @Test
  void scoresLeaveTheWindowWithTheirRound() throws IOException {
    RecentMeasures recent = new RecentMeasures(4);
    recent.add(scored(0.25f, 0.75f));
    assertThat(recent.sum().auc()).isZero();
    recent.add(scored(0.75f, 0.5f));
    recent.add(scored(0.5f, 0.25f));

    Measures expected = scored(0.75f, 0.5f).plus(scored(0.5f, 0.25f));
    assertThat(recent.sum()).isEqualTo(expected);
    assertThat(recent.sum().auc()).isEqualTo((2 + 1 + 0.5) / 4);

    RecentMeasures restored = restored(recent, 4);
    assertThat(restored.sum()).isEqualTo(expected);
    restored.add(scored(0.125f, 0.75f));
    assertThat(restored.sum()).isEqualTo(scored(0.5f, 0.25f).plus(scored(0.125f, 0.75f)));
  }

  @Test
  void aRestoredWindowHasTheSameSumsToTheBit() throws IOException {
    Random random = new Random(7);
    RecentMeasures recent = new RecentMeasures(50);
    for (int round = 0; round < 300; round++) {
      Measures next = new Measures(1 + random.nextInt(4), 1, random.nextDouble(), 0, 0);
      RecentMeasures restored = restored(recent, 50);
      recent.add(next);
      restored.add(next);
      assertThat(restored.sum()).isEqualTo(recent.sum());
      recent = round % 3 == 0 ? restored : recent;
    }
  }

  @Test
  void aWindowThatIsSmallerNowHasItsNewestRounds() throws IOException {
    RecentMeasures recent = new RecentMeasures(8);
    for (int round = 0; round < 11; round++) {
      recent.add(new Measures(1, 1, round, 0, 0));
    }

    assertThat(restored(recent, 3).sum()).isEqualTo(new Measures(3, 3, 8 + 9 + 10, 0, 0));
  }

  private static RecentMeasures restored(RecentMeasures recent, long window) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    recent.write(new DataOutputStream(bytes));
    return RecentMeasures.read(
        new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), window);
  }

  /** Of a positive and of a negative example. */
  private static Measures scored(float positive, float negative) {
    MeasuresSum sum = new MeasuresSum();
    sum.add(
        new ExampleShape(1, 1, Target.MULTI_LABEL),
        new float[] {positive, negative},
        new float[] {1, 0},
        null,
        2);
    return sum.get();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e30, Double.POSITIVE_INFINITY, Double.NaN})
  void anOutlierIsForgottenWhenItLeavesTheWindow(double outlier) {
    RecentMeasures recent = new RecentMeasures(4);
    recent.add(new Measures(2, 1, outlier, outlier, outlier));
    for (int round = 0; round < 3; round++) {
      recent.add(new Measures(2, 1, 0.5, 0.25, 0.125));
    }

    assertThat(recent.sum()).isEqualTo(new Measures(4, 2, 1, 0.5, 0.25));
  }
}
