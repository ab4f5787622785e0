package dev.millrace.simulate.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InputsTest {

  /** As of Flink's gates: it doesn't matter which end of data comes last. */
  @Test
  void whereOneSenderWasStoppedAllCountAsStopped() {
    Inputs inputs = new Inputs();
    Edge stopped = edge(1);
    Edge finished = edge(1);
    Edge other = edge(2);
    inputs.add(stopped);
    inputs.add(finished);
    inputs.add(other);

    stopped.endData(new Item.EndOfData(false));
    other.endData(new Item.EndOfData(true));
    finished.endData(new Item.EndOfData(true));

    assertThat(inputs.haveNoMoreData()).isTrue();
    assertThat(inputs.isDrained(1)).isFalse();
    assertThat(inputs.isDrained(2)).isTrue();
    assertThat(inputs.areDrained()).isFalse();
  }

  private static Edge edge(int input) {
    return new Edge(null, null, input, 0, null, () -> 0);
  }
}
