package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlockLayoutTest {

  @ParameterizedTest
  @CsvSource({"1, 10, 1, 1", "10, 10, 1, 10", "11, 10, 2, 1", "20, 10, 2, 10", "7, 1, 7, 1"})
  void blocksCoverTheVectorOnce(int length, int blockSize, int count, int last) {
    BlockLayout layout = new BlockLayout(length, blockSize, length, List.of());

    assertThat(layout.count()).isEqualTo(count);
    assertThat(layout.size(count - 1)).isEqualTo(last);
    int end = 0;
    for (int block = 0; block < count; block++) {
      assertThat(layout.offset(block)).isEqualTo(end);
      end += layout.size(block);
    }
    assertThat(end).isEqualTo(length);
  }

  @Test
  void noBlockHasPartsOfParametersAndOfUpdaterState() {
    BlockLayout layout = new BlockLayout(11, 4, 5, List.of());

    assertThat(layout.count()).isEqualTo(4);
    assertThat(IntStream.range(0, 4).map(layout::offset)).containsExactly(0, 4, 5, 9);
    assertThat(IntStream.range(0, 4).map(layout::size)).containsExactly(4, 1, 4, 2);
    assertThat(IntStream.range(0, 4).map(layout::parameters)).containsExactly(4, 1, 0, 0);
    assertThat(IntStream.range(0, 11).map(layout::blockOf))
        .containsExactly(0, 0, 0, 0, 1, 2, 2, 2, 2, 3, 3);
    assertThat(layout.hasUpdaterState()).isTrue();
  }

  @Test
  void halfIsLeftOfWhatWouldFallBelowZeroInNonNegativeRangesAlone() {
    BlockLayout layout =
        new BlockLayout(10, 4, 10, List.of(new IndexRange(2, 6), new IndexRange(9, 10)));

    assertThat(kept(layout, 0)).containsExactly(-1, -1, 3, 3);
    assertThat(kept(layout, 1)).containsExactly(3, 3, -1, -1);
    assertThat(kept(layout, 2)).containsExactly(-1, 3);
    float[] above = {1, 2, 0, 4};
    layout.keepNonNegative(0, above, new float[] {6, 6, 6, 6});
    assertThat(above).containsExactly(1, 2, 0, 4);
  }

  @Test
  void aModelsLayoutLeavesOutUpdaterStateThatIsNotExchanged() {
    ModelSpec spec =
        new ModelSpec(
            "engine",
            "kind",
            "{}",
            new ExampleShape(1, 1, Target.REGRESSION),
            6,
            12,
            List.of(new IndexRange(12, 18)));

    assertThat(spec.layout(4, true))
        .isEqualTo(new BlockLayout(18, 4, 6, List.of(new IndexRange(12, 18))));
    assertThat(spec.layout(4, false)).isEqualTo(new BlockLayout(6, 4, 6, List.of()));
  }

  @Test
  void rangesIntersect() {
    IndexRange range = new IndexRange(3, 7);

    assertThat(range.intersect(new IndexRange(5, 9))).isEqualTo(new IndexRange(5, 7));
    assertThat(range.intersect(new IndexRange(0, 3)).length()).isZero();
    assertThat(range.intersect(new IndexRange(8, 9)).length()).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> new IndexRange(3, 2));
  }

  @Test
  void refusesWhatIsNoLayout() {
    assertThatIllegalArgumentException().isThrownBy(() -> new BlockLayout(0, 4, 0, List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new BlockLayout(4, 0, 4, List.of()));
  }

  private static float[] kept(BlockLayout layout, int block) {
    float[] values = new float[layout.size(block)];
    Arrays.fill(values, -1);
    float[] before = new float[values.length];
    Arrays.fill(before, 6);
    layout.keepNonNegative(block, values, before);
    return values;
  }
}
