package dev.millrace.exchange.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each example has its offset for its feature, and a class. */
class ReplayTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 3, Target.CLASSIFICATION);
  private static final Partition PARTITION = new Partition("t", 0);

  private final long seed = new Random().nextLong();

  @Test
  void aShareOfEachStepIsReplayed() {
    Replay replay = replay(settings(10, Keep.RECENT, 0.75));
    int replayed = 0;
    for (int offset = 0; offset < 50; offset++) {
      Minibatch step = step(replay, offset, 1);
      assertThat(step.fresh()).isEqualTo(1);
      assertThat(step.size()).isEqualTo(1 + Math.min(3, offset));
      assertThat(distinct(step)).as("each at most once").hasSize(step.size());
      replayed += step.size() - 1;
    }
    assertThat(replay.replayed()).isEqualTo(replayed);
    assertThat(replay.size()).isEqualTo(10);
  }

  @Test
  void aShareThatIsNoWholeNumberIsMetInTheLongRun() {
    Replay replay = replay(settings(100, Keep.RECENT, 0.1));
    for (int offset = 0; offset < 901; offset++) {
      Minibatch unused = step(replay, offset, 1);
    }
    // One for each nine.
    assertThat(replay.replayed()).isEqualTo(100);
  }

  @Test
  void theLatestAreKept() throws IOException {
    Replay replay = replay(settings(5, Keep.RECENT, 0.9));
    for (int offset = 0; offset < 13; offset++) {
      Minibatch unused = step(replay, offset, 1);
    }
    assertThat(kept(replay, 13)).containsExactlyInAnyOrder(8, 9, 10, 11, 12);
  }

  @Test
  void aReservoirKeepsEachExampleWithTheSameChance() {
    Replay replay = replay(settings(200, Keep.RESERVOIR, 0.995));
    for (int offset = 0; offset < 20_000; offset++) {
      Minibatch unused = step(replay, offset, 1);
    }

    Set<Integer> kept = kept(replay, 20_000);

    assertThat(kept).hasSize(200);
    double mean = kept.stream().mapToInt(offset -> offset).average().orElseThrow();
    // Six deviations of the mean of 200 uniform numbers.
    assertThat(mean).as("seed %d", seed).isCloseTo(10_000, within(2_450.0));
  }

  @Test
  void classesAreKeptInBalanceHoweverRareTheyAre() {
    Replay replay = replay(settings(60, Keep.CLASS_BALANCED, 0.99));
    for (int offset = 0; offset < 5_000; offset++) {
      // Of class 2 each hundredth.
      Minibatch unused = step(replay, offset, 1, offset % 100 == 99 ? 2 : offset % 10 == 0 ? 1 : 0);
    }

    int[] ofClass = new int[3];
    kept(replay, 5_000)
        .forEach(offset -> ofClass[offset % 100 == 99 ? 2 : offset % 10 == 0 ? 1 : 0]++);

    assertThat(ofClass).as("seed %d", seed).containsExactly(20, 20, 20);
  }

  @Test
  void anOlderExampleCountsLess() {
    Replay replay = new ReplaySettings(1, Keep.RESERVOIR, 0.5, 4, seed).replay(SHAPE, 0, 2);
    Minibatch unused = step(replay, 0, 1);

    assertThat(weightsOfReplayed(replay, 1)).containsExactly(1f);
    // Two replicas learn as much each. The second example may have taken the first one's place.
    assertThat(weightsOfReplayed(replay, 2)).isIn(List.of((float) Math.sqrt(0.5)), List.of(1f));
  }

  @Test
  void whatIsRefusedIsNotReplayed() {
    Replay replay = replay(settings(50, Keep.RECENT, 0.9));
    for (int offset = 0; offset < 5; offset++) {
      Minibatch unused = step(replay, offset, 1);
    }
    replay.contributed();
    for (int offset = 5; offset < 9; offset++) {
      Minibatch unused = step(replay, offset, 1);
    }

    replay.refused();

    assertThat(kept(replay, 9)).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
  }

  @Test
  void whatTheModelCannotComputeWithIsNotKept() {
    Replay replay = replay(settings(50, Keep.RECENT, 0.9));
    Minibatch minibatch = minibatch(0, 3, 0);
    replay.mix(minibatch);
    BitSet unusable = new BitSet();
    unusable.set(1);
    minibatch.remove(unusable);

    replay.learned(minibatch);

    assertThat(kept(replay, 3)).containsExactlyInAnyOrder(0, 2);
  }

  @ParameterizedTest
  @EnumSource(Keep.class)
  void afterARestartTheSameIsKeptAndReplayed(Keep keep) throws IOException {
    ReplaySettings settings = settings(20, keep, 0.6);
    Replay replay = replay(settings);
    for (int offset = 0; offset < 70; offset++) {
      Minibatch unused = step(replay, offset, 2, offset % 7 == 0 ? 1 : 0);
    }
    Replay restored = replay(settings);
    restored.restore(replay.save());

    for (int offset = 200; offset < 300; offset++) {
      Minibatch expected = step(replay, offset, 2, offset % 5 == 0 ? 2 : 0);
      Minibatch found = step(restored, offset, 2, offset % 5 == 0 ? 2 : 0);
      assertThat(found.size()).isEqualTo(expected.size());
      assertThat(found.features()).as("seed %d", seed).containsExactly(expected.features());
      assertThat(found.weights()).containsExactly(expected.weights());
    }
  }

  @ParameterizedTest
  @EnumSource(Keep.class)
  void eachExampleStaysOnceWhateverTheParallelism(Keep keep) throws IOException {
    ReplaySettings settings = settings(64, keep, 0.99);
    List<byte[]> parts = new ArrayList<>();
    for (int replica = 0; replica < 2; replica++) {
      Replay replay = settings.replay(SHAPE, replica, 2);
      for (int offset = 0; offset < 30; offset++) {
        Minibatch unused = step(replay, replica * 1_000 + offset, 1, offset % 3);
      }
      parts.addAll(replay.save());
    }

    Set<Integer> all = new HashSet<>();
    int sizes = 0;
    for (int third = 0; third < 3; third++) {
      Replay replay = settings.replay(SHAPE, third, 3);
      replay.restore(parts.subList(third * 20, third * 20 + 20));
      sizes += replay.size();
      all.addAll(kept(replay, 5_000));
    }
    assertThat(all).as("2 to 3").hasSize(60);
    assertThat(sizes).isEqualTo(60);

    Replay one = settings.replay(SHAPE, 0, 1);
    one.restore(parts);
    assertThat(kept(one, 5_000)).as("2 to 1").isEqualTo(all);
    Replay less = settings(40, keep, 0.99).replay(SHAPE, 0, 1);
    less.restore(parts);
    assertThat(kept(less, 5_000)).as("no room for all").hasSize(40).isSubsetOf(all);
  }

  @Test
  void theReservoirOfTwoStandsForWhatBothHaveSeen() throws IOException {
    ReplaySettings settings = settings(100, Keep.RESERVOIR, 0.995);
    List<byte[]> parts = new ArrayList<>();
    for (int replica = 0; replica < 2; replica++) {
      Replay replay = settings.replay(SHAPE, replica, 2);
      for (int offset = 0; offset < (replica == 0 ? 9_000 : 1_000); offset++) {
        Minibatch unused = step(replay, replica * 100_000 + offset, 1);
      }
      parts.addAll(replay.save());
    }
    Replay merged = settings.replay(SHAPE, 0, 1);
    merged.restore(parts);

    long ofFirst = kept(merged, 1_000_000).stream().filter(offset -> offset < 100_000).count();

    // Each of its rows stands for nine times as many, until few of them are left: about 82.
    assertThat(ofFirst).as("seed %d", seed).isBetween(65L, 97L);
  }

  @Test
  void examplesOfAnotherShapeAreRefused() throws IOException {
    Replay replay = replay(settings(10, Keep.RECENT, 0.5));
    Minibatch unused = step(replay, 0, 1);
    Replay other =
        settings(10, Keep.RECENT, 0.5).replay(new ExampleShape(2, 3, Target.CLASSIFICATION), 0, 1);

    assertThatThrownBy(() -> other.restore(replay.save()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("1 features, 3 labels and 0 words, this job's 2, 3 and 0");
  }

  private ReplaySettings settings(int size, Keep keep, double share) {
    return new ReplaySettings(size, keep, share, Double.POSITIVE_INFINITY, seed);
  }

  private static Replay replay(ReplaySettings settings) {
    return settings.replay(SHAPE, 0, 1);
  }

  private static Minibatch step(Replay replay, int offset, int rows) {
    return step(replay, offset, rows, 0);
  }

  /** Learns some examples, the first of that offset, all of that class. */
  private static Minibatch step(Replay replay, int offset, int rows, int label) {
    Minibatch minibatch = minibatch(offset, rows, label);
    replay.mix(minibatch);
    replay.learned(minibatch);
    return minibatch;
  }

  private static Minibatch minibatch(int offset, int rows, int label) {
    Minibatch minibatch = new Minibatch(SHAPE, rows, 1_000);
    float[] labels = new float[3];
    labels[label] = 1;
    for (int row = 0; row < rows; row++) {
      minibatch.add(new float[] {offset + row}, labels, 1, PARTITION, offset + row);
    }
    return minibatch;
  }

  /** The offsets of all that it keeps: a great step has all of it. */
  private static Set<Integer> kept(Replay replay, int offset) {
    Minibatch minibatch = new Minibatch(SHAPE, 500, 1_000);
    for (int row = 0; row < 500; row++) {
      minibatch.add(new float[] {offset}, new float[] {1, 0, 0}, 1, PARTITION, offset);
    }
    replay.mix(minibatch);
    Set<Integer> kept = new HashSet<>();
    for (int row = minibatch.fresh(); row < minibatch.size(); row++) {
      kept.add((int) minibatch.features()[row]);
    }
    return kept;
  }

  private static Set<Integer> distinct(Minibatch minibatch) {
    return IntStream.range(0, minibatch.size())
        .mapToObj(row -> (int) minibatch.features()[row])
        .collect(HashSet::new, Set::add, Set::addAll);
  }

  private static List<Float> weightsOfReplayed(Replay replay, int offset) {
    Minibatch minibatch = step(replay, offset, 1);
    List<Float> weights = new ArrayList<>();
    for (float weight :
        Arrays.copyOfRange(minibatch.weights(), minibatch.fresh(), minibatch.size())) {
      weights.add(weight);
    }
    return weights;
  }
}
