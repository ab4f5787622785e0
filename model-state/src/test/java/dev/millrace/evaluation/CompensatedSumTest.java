package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CompensatedSumTest {

  @Test
  void keepsWhatADoubleLoses() {
    CompensatedSum sum = new CompensatedSum();
    sum.add(1e20);
    sum.add(1);
    sum.add(-1e20);

    assertThat(sum.value()).isEqualTo(1);
  }

  @Test
  void isTheSameInAnyOrderAndAnyParts() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    List<Double> values = new ArrayList<>();
    BigDecimal exact = BigDecimal.ZERO;
    for (int i = 0; i < 10_000; i++) {
      double value = random.nextGaussian() * Math.pow(2, random.nextInt(40));
      values.add(value);
      exact = exact.add(new BigDecimal(value));
    }
    CompensatedSum inOrder = new CompensatedSum();
    values.forEach(inOrder::add);
    Collections.shuffle(values, random);
    CompensatedSum[] parts = {new CompensatedSum(), new CompensatedSum(), new CompensatedSum()};
    values.forEach(value -> parts[random.nextInt(3)].add(value));
    CompensatedSum merged = new CompensatedSum();
    for (CompensatedSum part : parts) {
      merged.add(part);
    }

    assertThat(inOrder.value()).as("seed %d", seed).isEqualTo(exact.doubleValue());
    assertThat(merged.value()).as("seed %d", seed).isEqualTo(exact.doubleValue());
  }
}
