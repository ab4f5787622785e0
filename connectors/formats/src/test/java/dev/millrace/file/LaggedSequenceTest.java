package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.LagSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LaggedSequenceTest {

  private static final ExampleShape RECORDS = new ExampleShape(1, 2, Target.CLASSIFICATION);

  @Test
  void whatIsSkippedGivesItsLabelAllTheSame() throws IOException {
    ExampleShape shape = RECORDS.withLabelLags(1);
    ExampleSequence lagged = LaggedSequence.of(new Alternating(), shape, LagSettings.OF_PARTITION);
    Example example = new Example(lagged.shape());

    assertThat(lagged.next(example)).isTrue();
    assertThat(example.features()).containsExactly(0, 0, 0);
    assertThat(lagged.skip(example)).isTrue();
    assertThat(lagged.next(example)).isTrue();
    assertThat(example.features()).containsExactly(2, 0, 1);
    assertThat(lagged.next(example)).isTrue();
    assertThat(example.features()).containsExactly(3, 1, 0);
    assertThat(lagged.next(example)).isFalse();
  }

  @Test
  void withoutLagsItIsTheSequenceItself() throws IOException {
    try (ExampleSequence records = new Alternating()) {
      assertThat(LaggedSequence.of(records, RECORDS, LagSettings.OF_PARTITION)).isSameAs(records);
    }
  }

  /** Four records of the classes 0, 1, 0, 1. */
  private static final class Alternating implements ExampleSequence {

    private int next;

    @Override
    public ExampleShape shape() {
      return RECORDS;
    }

    @Override
    public long count() {
      return 4;
    }

    @Override
    public boolean next(Example into) {
      if (next == 4) {
        return false;
      }
      into.reset();
      into.features()[0] = next;
      into.setClass(next % 2);
      next++;
      return true;
    }

    @Override
    public void close() {}
  }
}
