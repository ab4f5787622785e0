package dev.millrace.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class HeapRoomTest {

  @Test
  void thereIsRoomForAFewValues() {
    assertThat(HeapRoom.floats(3, "Three values")).containsExactly(0, 0, 0);
    assertThat(HeapRoom.has(1)).isTrue();
  }

  @Test
  void moreThanTheHeapIsRefusedByItsSize() {
    long values = Runtime.getRuntime().maxMemory() / Float.BYTES + 1;

    assertThat(HeapRoom.has(values * Float.BYTES)).isFalse();
    assertThatThrownBy(() -> HeapRoom.require(values * Float.BYTES, "A model"))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("A model takes ")
        .hasMessageContaining("-Xmx");
    assertThatThrownBy(() -> HeapRoom.floats(1L << 31, "A model"))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("2147483648 values");
  }
}
