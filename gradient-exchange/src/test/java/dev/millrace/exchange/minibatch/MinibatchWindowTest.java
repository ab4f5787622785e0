package dev.millrace.exchange.minibatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.model.Ledger;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MinibatchWindowTest {

  private static final ExampleShape SHAPE = new ExampleShape(2, 1, Target.REGRESSION);
  private static final Partition PARTITION = new Partition("records", 3);
  private static final Duration WAIT = Duration.ofNanos(100);
  private static final int SIZE = 4;

  private final MinibatchWindow window = new MinibatchWindow(SHAPE, SIZE, WAIT);

  @Test
  void isFullByCount() {
    add(window, 0, 3);
    assertThat(window.hasFull()).isFalse();

    add(window, 3, 1);

    assertThat(window.hasFull()).isTrue();
    assertThat(offsets(window.take(0))).containsExactly(0L, 1L, 2L, 3L);
    assertThat(window.isEmpty()).isTrue();
  }

  /** Otherwise it would wait, and all behind it, though no example can come to it any more. */
  @Test
  void whatWasClosedStaysSoWhenMoreExamplesCloseTheNext() {
    window.close(2);
    add(window, 0, 3);

    window.close(SIZE);

    assertThat(window.hasFull()).isTrue();
    assertThat(offsets(window.take(0))).containsExactly(0L, 1L);
    assertThat(window.hasFull()).isFalse();
  }

  @Test
  void whatIsKeptFullTakesNoMoreExamplesWhenMoreCloseOne() {
    window.close(2);
    add(window, 0, 2);

    window.keepFull();
    window.close(SIZE);
    add(window, 2, 1);

    assertThat(offsets(window.take(0))).containsExactly(0L, 1L);
    assertThat(window.hasFull()).isFalse();
    assertThat(offsets(window.take(0))).containsExactly(2L);
  }

  @Test
  void isClosedByFewerExamplesForAWhile() {
    window.close(2);
    add(window, 0, 3);
    assertThat(offsets(window.take(0))).containsExactly(0L, 1L);
    assertThat(window.hasFull()).isFalse();

    window.close(9);
    add(window, 3, 2);
    assertThat(window.hasFull()).isFalse();
    add(window, 5, 1);
    assertThat(window.hasFull()).isTrue();
    assertThat(offsets(window.take(0))).containsExactly(2L, 3L, 4L, 5L);
  }

  /** Examples of one key are in one partition, so they stay in order, too. */
  @Test
  void aPartitionsExamplesStayInOrderOverRestarts() throws IOException {
    long seed = Seeds.next();
    Random random = new Random(seed);
    long[] next = new long[3];
    Map<Partition, List<Long>> taken = new HashMap<>();
    MinibatchWindow filling = window;
    for (int i = 0; i < 2_000; i++) {
      int partition = random.nextInt(next.length);
      filling.add(example(new Partition("records", partition), next[partition]++), 0);
      if (random.nextInt(8) == 0 && !filling.isEmpty()) {
        take(filling, taken);
      }
      if (random.nextInt(50) == 0) {
        MinibatchWindow restored = new MinibatchWindow(SHAPE, 1 + random.nextInt(6), WAIT);
        restored.restore(filling.save(), 0);
        filling = restored;
      }
    }
    while (!filling.isEmpty()) {
      take(filling, taken);
    }

    for (int partition = 0; partition < next.length; partition++) {
      assertThat(taken.get(new Partition("records", partition)))
          .as("partition %d, seed %d", partition, seed)
          .containsExactlyElementsOf(LongStream.range(0, next[partition]).boxed().toList());
    }
  }

  private static void take(MinibatchWindow window, Map<Partition, List<Long>> taken) {
    Minibatch minibatch = window.take(0);
    for (int row = 0; row < minibatch.size(); row++) {
      taken
          .computeIfAbsent(minibatch.partition(row), any -> new ArrayList<>())
          .add(minibatch.offset(row));
    }
    window.recycle(minibatch);
  }

  private static Example example(Partition partition, long offset) {
    Example example = new Example(SHAPE);
    example.setOrigin(partition, offset);
    return example;
  }

  /** So that what follows from them is the same after a restart. */
  @Test
  void timesAreKeptWhereTheyAreAskedFor() throws IOException {
    MinibatchWindow timed = new MinibatchWindow(SHAPE, SIZE, 0, true, WAIT);
    for (long offset = 0; offset < 5; offset++) {
      Example example = example(offset);
      example.setTimestamp(offset == 2 ? 9_000 : 7_000 + offset);
      timed.add(example, 0);
      window.add(example, 0);
    }
    MinibatchWindow restored = new MinibatchWindow(SHAPE, SIZE, 0, true, WAIT);
    restored.restore(timed.save(), 0);

    assertThat(restored.take(0).newestTime()).isEqualTo(9_000);
    assertThat(restored.take(0).newestTime()).isEqualTo(7_004);
    assertThat(MinibatchWindow.records(timed.save().get(1)))
        .isEqualTo(MinibatchWindow.records(window.save().get(1)));

    MinibatchWindow without = new MinibatchWindow(SHAPE, SIZE, 0, true, WAIT);
    without.restore(window.save(), 0);
    assertThat(without.take(0).newestTime()).isEqualTo(Minibatch.NO_TIME);
  }

  @Test
  void isOverdueByTheWaitOfItsOldestExample() {
    assertThat(window.isOverdue(1_000)).isFalse();
    window.add(example(0), 50);
    window.add(example(1), 120);

    assertThat(window.isOverdue(149)).isFalse();
    assertThat(window.isOverdue(150)).isTrue();
  }

  @Test
  void whatOverflowsWaitsAnewOnceTheOldestIsTaken() {
    add(window, 0, 5);

    assertThat(offsets(window.take(70))).containsExactly(0L, 1L, 2L, 3L);

    assertThat(window.hasFull()).isFalse();
    assertThat(window.isOverdue(169)).isFalse();
    assertThat(window.isOverdue(170)).isTrue();
    assertThat(offsets(window.take(170))).containsExactly(4L);
  }

  @Test
  void usesMinibatchesAgain() {
    add(window, 0, 4);
    Minibatch first = window.take(0);
    window.recycle(first);
    add(window, 4, 2);

    assertThat(window.take(0)).isSameAs(first);
    assertThat(offsets(first)).containsExactly(4L, 5L);
  }

  @Test
  void everyExampleThatWaitsIsThereAfterARestore() throws IOException {
    add(window, 0, 6);

    MinibatchWindow restored = new MinibatchWindow(SHAPE, SIZE, WAIT);
    restored.restore(window.save(), 30);

    assertThat(restored.isOverdue(129)).isFalse();
    Minibatch full = restored.take(30);
    Minibatch rest = restored.take(30);
    assertThat(offsets(full)).containsExactly(0L, 1L, 2L, 3L);
    assertThat(offsets(rest)).containsExactly(4L, 5L);
    assertThat(restored.isEmpty()).isTrue();
    for (int row = 0; row < 2; row++) {
      int offset = 4 + row;
      assertThat(rest.features()[2 * row]).isEqualTo(offset);
      assertThat(rest.features()[2 * row + 1]).isEqualTo(-offset);
      assertThat(rest.labels()[row]).isEqualTo(offset / 2f);
      assertThat(rest.weights()[row]).isEqualTo(offset + 1f);
      assertThat(rest.partition(row)).isEqualTo(PARTITION);
    }
  }

  @Test
  void takesOverWhatWaitedInSeveralAndFillsItsOwnMinibatches() throws IOException {
    MinibatchWindow other = new MinibatchWindow(SHAPE, 7, WAIT);
    add(window, 0, 3);
    add(other, 3, 3);
    List<byte[]> saved = new ArrayList<>(window.save());
    saved.addAll(other.save());

    MinibatchWindow restored = new MinibatchWindow(SHAPE, SIZE, WAIT);
    restored.restore(saved, 0);

    assertThat(offsets(restored.take(0))).containsExactly(0L, 1L, 2L, 3L);
    assertThat(offsets(restored.take(0))).containsExactly(4L, 5L);
  }

  @Test
  void tellsWhichRecordsWereSaved() throws IOException {
    add(window, 10, 3);

    Ledger records = MinibatchWindow.records(window.save().get(0));

    assertThat(records.entries().get(PARTITION).taken()).isEqualTo(new Ledger.Span(3, 33, 10, 12));
  }

  @Test
  void refusesExamplesOfAnotherShape() throws IOException {
    add(window, 0, 1);
    List<byte[]> saved = window.save();
    MinibatchWindow other =
        new MinibatchWindow(new ExampleShape(5, 1, Target.REGRESSION), SIZE, WAIT);

    assertThatThrownBy(() -> other.restore(saved, 0))
        .isInstanceOf(InvalidModelException.class)
        .hasMessage(
            "The checkpoint's examples have 2 features and 1 outputs, this job's 5 and 1; submit"
                + " with those that it was made with");
  }

  @Test
  void wordsAndStepsAreThereAfterARestore() throws IOException {
    ExampleShape shape = FieldShapes.flows(3);
    MinibatchWindow sequences = new MinibatchWindow(shape, SIZE, WAIT);
    Example example = new Example(shape);
    example.words()[0] = "ü\uD83D\uDE00";
    example.words()[3] = "";
    example.setSteps(2);
    example.setOrigin(PARTITION, 5);
    sequences.add(example, 0);

    MinibatchWindow restored = new MinibatchWindow(shape, SIZE, WAIT);
    restored.restore(sequences.save(), 0);
    Minibatch minibatch = restored.take(0);

    assertThat(minibatch.steps(0)).isEqualTo(2);
    assertThat(minibatch.words())
        .startsWith("ü\uD83D\uDE00", null, null, "")
        .hasSize(SIZE * shape.words());
  }

  /** As many features and outputs may be other things. */
  @Test
  void refusesExamplesOfTheSameSizeThatAreArrangedInAnotherWay() throws IOException {
    ExampleShape sequences = FieldShapes.flows(3);
    ExampleShape plain = new ExampleShape(sequences.features(), 1, Target.REGRESSION);
    MinibatchWindow saving = new MinibatchWindow(plain, SIZE, WAIT);
    Example example = new Example(plain);
    example.setOrigin(PARTITION, 5);
    saving.add(example, 0);

    assertThatThrownBy(() -> new MinibatchWindow(sequences, SIZE, WAIT).restore(saving.save(), 0))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("1 labels and 0 words each, this job's 1 and 6");
    ExampleShape shorter =
        new ExampleShape(
            12, 1, Target.REGRESSION, FeatureColumns.PLAIN, new ExampleStructure(3, false));
    MinibatchWindow longer = new MinibatchWindow(longerShape(), SIZE, WAIT);
    Example sequence = new Example(longerShape());
    sequence.setOrigin(PARTITION, 6);
    longer.add(sequence, 0);
    assertThatThrownBy(() -> new MinibatchWindow(shorter, SIZE, WAIT).restore(longer.save(), 0))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("sequences of 4 steps, this job's at most 3");
  }

  private static ExampleShape longerShape() {
    return new ExampleShape(
        12, 1, Target.REGRESSION, FeatureColumns.PLAIN, new ExampleStructure(4, false));
  }

  private static void add(MinibatchWindow window, long first, int count) {
    for (long offset = first; offset < first + count; offset++) {
      window.add(example(offset), 0);
    }
  }

  private static Example example(long offset) {
    Example example = new Example(SHAPE);
    example.features()[0] = offset;
    example.features()[1] = -offset;
    example.labels()[0] = offset / 2f;
    example.setWeight(offset + 1f);
    example.setOrigin(PARTITION, offset);
    return example;
  }

  private static List<Long> offsets(Minibatch minibatch) {
    List<Long> offsets = new ArrayList<>();
    for (int row = 0; row < minibatch.size(); row++) {
      offsets.add(minibatch.offset(row));
    }
    return offsets;
  }
}
