package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

final class MinibatchTest {

  private static final ExampleShape SHAPE = new ExampleShape(2, 1, Target.REGRESSION);
  private static final Partition PARTITION = new Partition("examples", 3);

  private final Minibatch minibatch = new Minibatch(SHAPE, 2);

  @Test
  void keepsRowsWithTheirOrigin() {
    // Longer arrays are as good: decoders use one buffer for all.
    minibatch.add(new float[] {1, 2, 99}, new float[] {3, 99}, 1, PARTITION, 70);
    minibatch.add(new float[] {4, 5}, new float[] {6}, 0.5f, PARTITION, 71);

    assertThat(minibatch.features()).containsExactly(1, 2, 4, 5);
    assertThat(minibatch.labels()).containsExactly(3, 6);
    assertThat(minibatch.weights()).containsExactly(1, 0.5f);
    assertThat(minibatch.totalWeight()).isEqualTo(1.5);
    assertThat(minibatch.partition(1)).isEqualTo(PARTITION);
    assertThat(minibatch.offset(1)).isEqualTo(71);
    assertThat(minibatch.isFull()).isTrue();
    Ledger ledger = new Ledger();
    minibatch.recordIn(ledger);
    assertThat(ledger.entries().get(PARTITION).learned())
        .isEqualTo(new Ledger.Span(2, 141, 70, 71));
  }

  @Test
  void anExampleWithoutIdsHasEmptyLists() {
    Minibatch withIds = new Minibatch(FieldShapes.ids(2), 2);
    IdLists ids = new IdLists(2);
    ids.end();
    ids.add(7);
    ids.end();

    withIds.add(new float[9], new float[2], 1, PARTITION, 70);
    withIds.add(new float[9], new float[2], new String[0], ids, 0, 1, PARTITION, 71);

    assertThat(withIds.ids().rows()).isEqualTo(2);
    assertThat(withIds.ids().ends()).startsWith(0, 0, 0, 1);
  }

  @Test
  void isUsedAgainOnceCleared() {
    minibatch.add(new float[] {1, 2}, new float[] {3}, 1, PARTITION, 70);
    minibatch.clear();
    assertThat(minibatch.isEmpty()).isTrue();
    assertThat(minibatch.totalWeight()).isZero();

    minibatch.add(new float[] {4, 5}, new float[] {6}, 1, PARTITION, 71);

    assertThat(minibatch.size()).isEqualTo(1);
    assertThat(minibatch.offset(0)).isEqualTo(71);
    assertThat(minibatch.features()).startsWith(4, 5);
  }

  @Test
  void takesNoMoreThanItHolds() {
    minibatch.add(new float[2], new float[1], 1, PARTITION, 0);
    minibatch.add(new float[2], new float[1], 1, PARTITION, 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> minibatch.add(new float[2], new float[1], 1, PARTITION, 2));
    assertThat(minibatch.size()).isEqualTo(minibatch.capacity());
    assertThatIllegalArgumentException().isThrownBy(() -> new Minibatch(SHAPE, 0));
  }

  @Test
  void replayedRowsAreLearnedFromAndNotCounted() {
    Minibatch mixed = new Minibatch(SHAPE, 2, 1);
    mixed.add(new float[] {1, 2}, new float[] {3}, 1, PARTITION, 70);
    float[] kept = {9, 9, 7, 8};

    mixed.addReplayed(kept, new float[] {9, 6}, new String[0], 1, 0, 0.25f);

    assertThat(mixed.size()).isEqualTo(2);
    assertThat(mixed.fresh()).isEqualTo(1);
    assertThat(mixed.capacity()).isEqualTo(3);
    assertThat(mixed.features()).startsWith(1, 2, 7, 8);
    assertThat(mixed.labels()).startsWith(3, 6);
    assertThat(mixed.weights()).startsWith(1, 0.25f);
    assertThat(mixed.partition(1)).isNull();
    assertThat(mixed.totalWeight()).isEqualTo(1);
    Ledger ledger = new Ledger();
    mixed.recordIn(ledger);
    assertThat(ledger.learnedCount()).isEqualTo(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> mixed.add(new float[2], new float[1], 1, PARTITION, 71));
  }

  @Test
  void freshRowsStayFreshWhereOthersAreTakenOut() {
    Minibatch mixed = new Minibatch(SHAPE, 2, 2);
    mixed.add(new float[] {1, 1}, new float[1], 1, PARTITION, 70);
    mixed.add(new float[] {2, 2}, new float[1], 1, PARTITION, 71);
    mixed.addReplayed(new float[] {3, 3}, new float[1], new String[0], 0, 0, 1);
    mixed.addReplayed(new float[] {4, 4}, new float[1], new String[0], 0, 0, 1);
    BitSet rows = new BitSet();
    rows.set(0);
    rows.set(2);

    mixed.remove(rows);

    assertThat(mixed.fresh()).isEqualTo(1);
    assertThat(mixed.size()).isEqualTo(2);
    assertThat(mixed.offset(0)).isEqualTo(71);
    assertThat(mixed.features()).startsWith(2, 2, 4, 4);
    mixed.clear();
    assertThat(mixed.fresh()).isZero();
    mixed.add(new float[] {5, 5}, new float[1], 1, PARTITION, 72);
    assertThat(mixed.isFull()).isFalse();
  }
}
