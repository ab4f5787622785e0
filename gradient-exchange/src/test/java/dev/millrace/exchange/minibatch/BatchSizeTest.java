package dev.millrace.exchange.minibatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchSizeTest {

  @ParameterizedTest
  @CsvSource({
    "1, 32, 1",
    "2, 16, 1",
    "3, 11, 1.03",
    "4, 8, 1",
    "8, 4, 1",
    "16, 4, 2",
    "100, 4, 12.5"
  })
  void replicasShareAStepOutDownToALeastShare(int replicas, int local, double excess) {
    BatchSize size = new BatchSize(32, 0);

    assertThat(size.local(replicas)).isEqualTo(local);
    assertThat(size.excess(replicas)).isCloseTo(excess, within(0.005));
  }

  @Test
  void whoHasNothingToReadTakesNoShare() {
    BatchSize size = new BatchSize(32, 0, 2);

    assertThat(size.readers(16)).isEqualTo(2);
    assertThat(size.local(16)).isEqualTo(16);
    assertThat(size.excess(16)).isEqualTo(1);
    assertThat(size.local(1)).isEqualTo(32);
  }

  @Test
  void nobodyTakesMoreThanTheJobAsLongAsItIsNotTold() {
    assertThat(new BatchSize(4, 0).local(2)).isEqualTo(4);
    assertThat(new BatchSize(4, 0).excess(2)).isEqualTo(2);
  }

  @Test
  void manyTimesTheExamplesOfAStepAreWorthAWarning() {
    assertThat(new BatchSize(32, 0).warning(16)).isEmpty();
    assertThat(new BatchSize(32, 0).warning(64))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith("A step of 64 replicas takes 256 examples")
                    .contains("8 times fewer steps"));
  }

  @Test
  void aReplicaTakesWhatItIsTold() {
    BatchSize size = new BatchSize(32, 64);

    assertThat(size.local(4)).isEqualTo(64);
    assertThat(size.excess(4)).isEqualTo(8);
  }
}
