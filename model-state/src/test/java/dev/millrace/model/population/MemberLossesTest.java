package dev.millrace.model.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MemberLossesTest {

  private static final ExampleShape NUMBERS = new ExampleShape(1, 1, Target.REGRESSION);
  private static final ExampleShape CLASSES = new ExampleShape(1, 2, Target.CLASSIFICATION);
  private static final int EXAMPLES = 60;

  /** A unit must not decide: by squares of thousands it would be all or nothing. */
  @Test
  void weightsOfNumbersDontDependOnTheirUnit() {
    double[] metres = afterNumbers(1);
    double[] millimetres = afterNumbers(1024);

    assertThat(millimetres).containsExactly(metres, within(1e-6));
    assertThat(metres[0]).isBetween(0.6, 0.999);
    assertThat(metres[1]).isLessThan(metres[0]).isGreaterThan(metres[2]);
  }

  /** The errors of the members are as 3 to 3.2 to 3.4. */
  private static double[] afterNumbers(float unit) {
    MemberLosses losses = losses(3);
    Random random = new Random(5);
    for (int i = 0; i < EXAMPLES; i++) {
      float error = unit * (float) random.nextGaussian();
      float[][] predictions = {{3 * error}, {3.2f * error}, {3.4f * error}};
      losses.add(NUMBERS, predictions, new float[1], 0, 1);
    }
    return losses.weights();
  }

  @Test
  void whatIsNoNumberCountsAsWrong() {
    MemberLosses losses = losses(2);
    float[][] predictions = {{Float.NaN, Float.NaN}, {0.5f, 0.5f}};
    for (int i = 0; i < EXAMPLES; i++) {
      losses.add(CLASSES, predictions, new float[] {0, 1}, 0, 1);
    }

    assertThat(losses.best()).isEqualTo(1);
    assertThat(losses.weights()[0]).isPositive().isLessThan(1e-6);
    assertThat(losses.means()).doesNotContain(Float.NaN);
  }

  private static MemberLosses losses(int members) {
    Member one = new Member("any", "any", "{}", 1, 0, List.of(), List.of(), 0.1, null);
    return new MemberLosses(new Population(0.99, 0.5, 0, Collections.nCopies(members, one)));
  }
}
