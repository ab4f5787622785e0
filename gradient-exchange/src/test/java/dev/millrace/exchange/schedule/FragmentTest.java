package dev.millrace.exchange.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FragmentTest {

  @Test
  void eachBlockIsInOneOfThem() {
    for (int block = 0; block < 10; block++) {
      int number = block;
      assertThat(IntStream.range(0, 4).filter(part -> new Fragment(part, 4).covers(number)))
          .as("block %d", block)
          .containsExactly(block % 4);
      assertThat(Fragment.WHOLE.covers(block)).isTrue();
    }
    assertThat(new Fragment(1, 4).isWhole()).isFalse();
  }

  @Test
  void onlyAsManyAreThere() {
    assertThatThrownBy(() -> new Fragment(4, 4)).hasMessageContaining("no fragment 4 among 4");
  }
}
