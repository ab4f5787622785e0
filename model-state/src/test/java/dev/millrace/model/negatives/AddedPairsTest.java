package dev.millrace.model.negatives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.IdLists;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.RowShapes;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AddedPairsTest {

  private static final ExampleShape SHAPE = RowShapes.twoRows(2, 2, Target.CLASSIFICATION);
  private static final Partition PARTITION = new Partition("clicks", 0);
  private static final float[] POSITIVE = {0, 1};
  private static final float[] NEGATIVE = {1, 0};

  private record Example(long user, long item) {}

  private static Minibatch minibatch(int capacity) {
    return new Minibatch(SHAPE, capacity, capacity);
  }

  private static void add(Minibatch minibatch, long user, long item, float[] labels) {
    IdLists ids = new IdLists(2);
    ids.add(user);
    ids.end();
    ids.add(item);
    ids.end();
    minibatch.add(new float[4], labels, new String[0], ids, 0, 1, PARTITION, minibatch.size());
  }

  private static Example pair(Minibatch minibatch, AddedPairs pairs, int pair) {
    return new Example(
        minibatch.ids().ids()[2 * pairs.firstRow(pair)],
        minibatch.ids().ids()[2 * pairs.secondRow(pair) + 1]);
  }

  private static List<Example> chosen(Minibatch minibatch, int each) {
    AddedPairs pairs = new AddedPairs(SHAPE, each);
    pairs.choose(minibatch);
    List<Example> chosen = new ArrayList<>();
    for (int pair = 0; pair < pairs.size(); pair++) {
      chosen.add(pair(minibatch, pairs, pair));
    }
    return chosen;
  }

  @Test
  void aPositiveExampleBringsPairsWithItemsOfOthers() {
    Minibatch minibatch = minibatch(8);
    add(minibatch, 1, 10, POSITIVE);
    add(minibatch, 2, 20, NEGATIVE);
    add(minibatch, 3, 30, POSITIVE);

    assertThat(chosen(minibatch, 5))
        .containsExactlyInAnyOrder(
            new Example(1, 20), new Example(1, 30), new Example(3, 10), new Example(3, 20));
    assertThat(chosen(minibatch, 1)).hasSize(2).extracting(Example::user).containsExactly(1L, 3L);
  }

  /** User 1 has clicked both; and one item that two users clicked is no negative of either. */
  @Test
  void pairsThatTheMinibatchHasAreLeftOut() {
    Minibatch minibatch = minibatch(8);
    add(minibatch, 1, 10, POSITIVE);
    add(minibatch, 1, 20, POSITIVE);
    add(minibatch, 2, 20, POSITIVE);
    add(minibatch, 2, 30, NEGATIVE);

    assertThat(chosen(minibatch, 9))
        .containsExactlyInAnyOrder(new Example(1, 30), new Example(1, 30), new Example(2, 10));
    Minibatch same = minibatch(8);
    add(same, 1, 10, POSITIVE);
    add(same, 2, 10, POSITIVE);
    assertThat(chosen(same, 9)).isEmpty();
    assertThat(chosen(minibatch(2), 9)).isEmpty();
  }

  @Test
  void replayedExamplesBringAndGivePairsToo() {
    Minibatch minibatch = minibatch(2);
    add(minibatch, 1, 10, POSITIVE);
    IdLists ids = new IdLists(2);
    ids.add(2);
    ids.end();
    ids.add(20);
    ids.end();
    minibatch.addReplayed(new float[4], new float[] {0.2f, 0.8f}, new String[0], 0, ids, 0, 1);

    assertThat(chosen(minibatch, 1)).containsExactly(new Example(1, 20), new Example(2, 10));
    minibatch.show(1);
    assertThat(chosen(minibatch, 1)).isEmpty();
  }

  /** One item comes in each second example, and is a negative no more often than others. */
  @Test
  void eachItemIsANegativeAsOften() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    Minibatch minibatch = minibatch(600);
    for (int row = 0; row < 600; row++) {
      add(minibatch, 1000 + row, random.nextBoolean() ? 0 : 1 + random.nextInt(19), POSITIVE);
    }
    int[] times = new int[20];

    List<Example> chosen = chosen(minibatch, 3);

    assertThat(chosen).hasSize(1800);
    chosen.forEach(pair -> times[(int) pair.item()]++);
    for (int item = 1; item < 20; item++) {
      assertThat(times[item]).as("seed %s, item %s", seed, item).isBetween(80, 100);
    }
    // Half of the examples have it themselves.
    assertThat(times[0]).as("seed %s", seed).isBetween(30, 60);
  }

  /** A tenth of the uses so far, all of them, a thousandth; and one that nobody knows of. */
  @Test
  void pairsWeighAsMuchOfAnItemsUsesAsTheMinibatchHas() {
    Minibatch minibatch = minibatch(8);
    long[] items = {10, 10, 20, 30};
    int[] uses = {18, 18, 0, 999};
    for (int row = 0; row < 4; row++) {
      add(minibatch, row, items[row], POSITIVE);
      minibatch.usesOfSecond()[row] = uses[row];
    }
    AddedPairs pairs = new AddedPairs(SHAPE, 2);

    pairs.choose(minibatch);

    Map<Long, Float> weights = new TreeMap<>();
    double sum = 0;
    for (int pair = 0; pair < pairs.size(); pair++) {
      weights.put(pair(minibatch, pairs, pair).item(), pairs.weight(pair));
      sum += pairs.weight(pair);
    }
    assertThat(pairs.size()).isEqualTo(8);
    assertThat(sum).isCloseTo(8, within(1e-4));
    assertThat(weights.get(20L) / weights.get(10L)).isCloseTo(10, within(1e-3f));
    assertThat(weights.get(10L) / weights.get(30L)).isCloseTo(100, within(1e-2f));

    minibatch = minibatch(32);
    for (int row = 0; row < 32; row++) {
      add(minibatch, row, row, POSITIVE);
      minibatch.usesOfSecond()[row] = row == 0 ? 0 : 1_000_000;
    }
    pairs.choose(minibatch);
    for (int pair = 0; pair < pairs.size(); pair++) {
      // One item in 32 would have all the weight.
      if (pair(minibatch, pairs, pair).item() == 0) {
        assertThat(pairs.weight(pair)).isEqualTo(10);
      }
    }
  }

  @Test
  void theSameMinibatchHasTheSamePairsAndAnotherOneOthers() {
    long seed = Seeds.next();
    List<List<Example>> all = new ArrayList<>();
    for (int item : new int[] {5, 5, 6}) {
      Minibatch minibatch = minibatch(40);
      Random random = new Random(seed);
      add(minibatch, 7, 1000 + item, POSITIVE);
      for (int row = 1; row < 40; row++) {
        add(minibatch, random.nextInt(1000), random.nextInt(1000), POSITIVE);
      }
      AddedPairs pairs = new AddedPairs(SHAPE, 2);
      // What was chosen before has no effect.
      for (List<Example> before : all) {
        pairs.choose(minibatch(before.size()));
      }
      all.add(chosen(minibatch, 2));
    }
    assertThat(all.get(1)).as("seed %s", seed).isEqualTo(all.get(0));
    assertThat(all.get(2)).as("seed %s", seed).isNotEqualTo(all.get(0)).hasSameSizeAs(all.get(0));
  }

  /** No fixed distance between rows: neighbours in a stream are alike. */
  @Test
  void itemsAreOfRowsFarAndNear() {
    Minibatch minibatch = minibatch(100);
    for (int row = 0; row < 100; row++) {
      add(minibatch, row, 1000 + row, POSITIVE);
    }
    Set<Long> distances = new HashSet<>();
    chosen(minibatch, 1)
        .forEach(pair -> distances.add(Math.floorMod(pair.item() - 1000 - pair.user(), 100L)));
    assertThat(distances).hasSizeGreaterThan(40).doesNotContain(0L);
  }

  @Test
  void withoutIdsSidesAreToldApartByFeatures() {
    ExampleShape numbers =
        new ExampleShape(
            3,
            1,
            Target.MULTI_LABEL,
            FeatureColumns.PLAIN,
            new ExampleStructure(
                0,
                false,
                List.of(
                    new Input("user", new IndexRange(0, 1)),
                    new Input("item", new IndexRange(1, 3))),
                List.of()));
    Minibatch minibatch = new Minibatch(numbers, 4);
    minibatch.add(new float[] {1, 5, 6}, new float[] {1}, 1, PARTITION, 0);
    minibatch.add(new float[] {2, 5, 6}, new float[] {1}, 1, PARTITION, 1);
    minibatch.add(new float[] {2, 5, 7}, new float[] {0}, 1, PARTITION, 2);
    AddedPairs pairs = new AddedPairs(numbers, 3);

    pairs.choose(minibatch);

    assertThat(pairs.size()).isEqualTo(1);
    assertThat(pairs.firstRow(0)).isZero();
    assertThat(pairs.secondRow(0)).isEqualTo(2);
  }
}
