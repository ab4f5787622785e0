package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.schedule.Fragment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BlockWeightsTest {

  private static final Fragment FIRST = new Fragment(0, 2);
  private static final Fragment SECOND = new Fragment(1, 2);

  private final BlockWeights weights = new BlockWeights(3);

  @Test
  void eachBlockCountsAllSinceItsLastContribution() {
    contributed(FIRST, 10);
    contributed(SECOND, 5);
    assertThat(next(0, 3)).isEqualTo(8);
    assertThat(next(1, 3)).isEqualTo(3);
    assertThat(next(2, 3)).isEqualTo(8);
    assertThat(weights.areOwed()).isTrue();

    contributed(Fragment.WHOLE, 3);

    assertThat(next(0, 4)).isEqualTo(4);
    assertThat(next(1, 4)).isEqualTo(4);
    assertThat(weights.areOwed()).isFalse();
  }

  @Test
  void whatWasLeftOutCountsAgainOnlyWhereItIsAllThereIs() {
    weights.contributed(Fragment.WHOLE, 10, true, block -> block == 1);

    assertThat(weights.ofNext(1, 0, false)).isEqualTo(10);
    assertThat(weights.ofNext(1, 4, true)).isEqualTo(4);
    assertThat(weights.ofNext(1, 0, true)).as("examples without weight").isEqualTo(1);
    assertThat(weights.ofNext(0, 0, false)).as("nothing to say").isBetween(1e-12, 1e-3);
    assertThat(weights.behind(1, 4)).isEqualTo(14);
    assertThat(weights.behind(0, 4)).isEqualTo(4);
  }

  @Test
  void blocksThatArePassedByAreCounted() {
    contributed(SECOND, 1);
    contributed(SECOND, 1);

    assertThat(weights.passed(0)).isEqualTo(2);
    assertThat(weights.passed(1)).isZero();
  }

  @Test
  void areTheSameAfterARestore() throws IOException {
    assertThat(restored().passed(2)).isZero();
    contributed(FIRST, 10);
    weights.contributed(SECOND, 5, true, block -> true);

    BlockWeights restored = restored();

    for (int block = 0; block < 3; block++) {
      assertThat(restored.ofNext(block, 1, true)).isEqualTo(next(block, 1));
      assertThat(restored.behind(block, 0)).isEqualTo(weights.behind(block, 0));
      assertThat(restored.passed(block)).isEqualTo(weights.passed(block));
    }
  }

  @Test
  void thoseOfAnotherAreAdded() throws IOException {
    contributed(FIRST, 10);
    BlockWeights both = restored();

    both.absorb(weights);

    assertThat(both.ofNext(1, 0, false)).isEqualTo(20);
    assertThat(both.passed(1)).isEqualTo(1);
  }

  private void contributed(Fragment covered, double fresh) {
    weights.contributed(covered, fresh, true, block -> false);
  }

  private double next(int block, double fresh) {
    return weights.ofNext(block, fresh, true);
  }

  private BlockWeights restored() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    weights.write(new DataOutputStream(bytes));
    BlockWeights restored = new BlockWeights(3);
    restored.absorb(
        BlockWeights.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))));
    return restored;
  }
}
