package dev.millrace.exchange.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.model.IdLists;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each example has its offset for its feature, and a class. */
class ReplayTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 3, Target.CLASSIFICATION);
  private static final ExampleShape WITH_IDS =
      withIds(
          new IdColumn("user", "users", new IndexRange(1, 3), IdColumn.Pooling.SUM),
          new IdColumn("item", "items", new IndexRange(3, 5), IdColumn.Pooling.SUM));
  private static final ExampleShape OTHER_IDS =
      withIds(new IdColumn("user", "users", new IndexRange(1, 3), IdColumn.Pooling.SUM));
  private static final Partition PARTITION = new Partition("t", 0);

  /** Of a step's rows: all are predicted to be of each class alike. */
  private static final float[] PREDICTIONS = new float[3_000];

  static {
    Arrays.fill(PREDICTIONS, 1f / 3);
  }

  private final long seed = Seeds.next();

  private static ExampleShape withIds(IdColumn... ids) {
    return new ExampleShape(
        5,
        3,
        Target.CLASSIFICATION,
        new FeatureColumns("{}", List.of(), List.of(), List.of(ids)),
        ExampleStructure.FLAT);
  }

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
    assertThat(replay.gauges().get("replayedExamples").getAsLong()).isEqualTo(replayed);
    assertThat(replay.size()).isEqualTo(10);
  }

  @Test
  void aShareThatIsNoWholeNumberIsMetInTheLongRun() {
    Replay replay = replay(settings(100, Keep.RECENT, 0.1));
    for (int offset = 0; offset < 901; offset++) {
      Minibatch unused = step(replay, offset, 1);
    }
    // One for each nine.
    assertThat(replay.gauges().get("replayedExamples").getAsLong()).isEqualTo(100);
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
  void theRoomThatARescaleLeavesInAReservoirIsNotForTheNewestAlone() throws IOException {
    ReplaySettings settings = settings(200, Keep.RESERVOIR, 0.995);
    Replay one = replay(settings);
    for (int offset = 0; offset < 10_000; offset++) {
      Minibatch unused = step(one, offset, 1);
    }
    List<byte[]> parts = one.save();
    Replay half = new Replay(settings, SHAPE, 0, 2);
    half.restore(parts.subList(0, parts.size() / 2));
    assertThat(half.size()).isEqualTo(100);

    for (int offset = 10_000; offset < 10_100; offset++) {
      Minibatch unused = step(half, offset, 1);
    }

    // It stands for 5,000 examples and has room for 200, so about one of 25 is kept.
    assertThat(half.size()).as("seed %d", seed).isBetween(100, 125);
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
    ModelReplica model =
        new SummingEngine().build(SummingEngine.spec(SHAPE, 1), DeviceRequest.guest());
    Replay replay =
        settings(1, Keep.RESERVOIR, 0.5, HalfLife.ofExamples(4), 0)
            .hook(new HookContext(0, 3, 2, model, false, HookPort.NONE));
    Minibatch unused = step(replay, 0, 1);

    assertThat(weightsOfReplayed(replay, 1)).containsExactly(1f);
    // Two of three replicas can read, and learn as much each. The second example may have taken the
    // first one's place.
    assertThat(weightsOfReplayed(replay, 2)).isIn(List.of((float) Math.sqrt(0.5)), List.of(1f));
  }

  @Test
  void anOlderExampleCountsLessByTheTimesOfRecords() throws IOException {
    ReplaySettings settings = settings(2, Keep.RECENT, 0.7, HalfLife.of(Duration.ofMinutes(1)), 0);
    Replay replay = new Replay(settings, SHAPE, 0, 2);
    stepAt(replay, 0, Minibatch.NO_TIME);
    stepAt(replay, 1, 1_000_000_000);
    assertThat(weightsOfReplayed(replay, 2)).as("one has no time").containsExactly(1f, 1f);

    stepAt(replay, 3, 1_000_060_000);
    // That one is late.
    stepAt(replay, 4, 1_000_000_000);
    stepAt(replay, 5, 1_000_120_000);
    Replay restored = new Replay(settings, SHAPE, 0, 2);
    restored.restore(replay.save());

    // The newest record that was learned is a minute after the newest when 4 was.
    assertThat(weightsOfReplayed(replay, 6)).containsExactlyInAnyOrder(0.5f, 1f);
    assertThat(weightsOfReplayed(restored, 6)).containsExactlyInAnyOrder(0.5f, 1f);
  }

  @Test
  void aRecordOfTheFarFutureMakesNothingOld() {
    Replay replay = replay(settings(2, Keep.RECENT, 0.7, HalfLife.of(Duration.ofMinutes(1)), 0));
    stepAt(replay, 0, 1_000_000_000);
    stepAt(replay, 1, 1_000_000_000_000L);

    assertThat(weightsOfReplayed(replay, 2)).containsExactly(1f, 1f);
  }

  @Test
  void whatWasKeptWithoutTimesIsOfNoAgeInTime() throws IOException {
    Replay byExamples = replay(settings(2, Keep.RECENT, 0.7));
    Minibatch unused = step(byExamples, 0, 1);
    Replay byTime = replay(settings(2, Keep.RECENT, 0.7, HalfLife.of(Duration.ofMinutes(1)), 0));
    byTime.restore(byExamples.save());
    stepAt(byTime, 1, 1_000_000_000);

    assertThat(weightsOfReplayed(byTime, 2)).containsExactly(1f, 1f);
  }

  @Test
  void whatWasPredictedIsMixedIntoTheLabel() {
    Replay replay =
        new Replay(settings(60, Keep.CLASS_BALANCED, 0.99, HalfLife.NONE, 0.45), SHAPE, 0, 1);
    Minibatch minibatch = minibatch(0, 2, 2);
    minibatch.add(new float[] {2}, new float[] {0, 1, 0}, 1, PARTITION, 2);
    replay.beforeStep(minibatch, () -> null);
    BitSet unusable = new BitSet();
    unusable.set(1);
    minibatch.remove(unusable);
    replay.afterStep(minibatch, new float[] {0.2f, 0.7f, 0.1f, 1, 0, 0});

    Minibatch next = minibatch(3, 1, 0);
    replay.beforeStep(next, () -> null);
    for (int row = 1; row < next.size(); row++) {
      float[] expected =
          next.features()[row] == 0
              ? new float[] {0.09f, 0.315f, 0.595f}
              : new float[] {0.45f, 0.55f, 0};
      assertThat(Arrays.copyOfRange(next.labels(), row * 3, row * 3 + 3))
          .containsExactly(expected, within(1e-6f));
    }
    assertThat(next.size()).isEqualTo(3);
  }

  @Test
  void classesAreKeptInBalanceWhateverWasPredicted() throws IOException {
    ReplaySettings settings = settings(30, Keep.CLASS_BALANCED, 0.99, HalfLife.NONE, 0.499);
    Replay replay = new Replay(settings, SHAPE, 0, 1);
    float[] wrong = new float[3_000];
    for (int offset = 0; offset < 300; offset++) {
      Minibatch minibatch = minibatch(offset, 1, offset % 3);
      replay.beforeStep(minibatch, () -> null);
      Arrays.fill(wrong, 0, 3, 0);
      wrong[(offset + 1) % 3] = 1;
      replay.afterStep(minibatch, wrong);
    }
    replay.contributed();
    Replay restored = new Replay(settings, SHAPE, 0, 1);
    restored.restore(replay.save());
    for (int offset = 300; offset < 330; offset++) {
      Minibatch unused = step(restored, offset, 1, offset % 3);
    }

    int[] ofClass = new int[3];
    kept(restored, 330).forEach(offset -> ofClass[offset % 3]++);

    assertThat(ofClass).containsExactly(10, 10, 10);
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

  /** What is drawn, and how many are replayed, goes by how many examples it has learned. */
  @ParameterizedTest
  @EnumSource(Keep.class)
  void whereAllIsRefusedARestartStillDrawsTheSame(Keep keep) throws IOException {
    ReplaySettings settings = settings(20, keep, 0.6);
    Replay replay = replay(settings);
    for (int offset = 0; offset < 7; offset++) {
      Minibatch unused = step(replay, offset, 1, offset % 3);
    }
    replay.refused();
    assertThat(replay.size()).isZero();
    Replay restored = replay(settings);
    restored.restore(replay.save());

    for (int offset = 200; offset < 300; offset++) {
      Minibatch expected = step(replay, offset, 1, offset % 2);
      Minibatch found = step(restored, offset, 1, offset % 2);
      assertThat(found.features()).as("seed %d", seed).containsExactly(expected.features());
    }
  }

  @Test
  void whereThereIsNoRoomForAllTheLargestClassesAreCutOffAtOneLevel() throws IOException {
    Replay replay = replay(settings(75, Keep.CLASS_BALANCED, 0.99));
    for (int offset = 0; offset < 75; offset++) {
      Minibatch unused = step(replay, offset, 1, offset < 50 ? 0 : offset < 70 ? 1 : 2);
    }
    Replay less = replay(settings(30, Keep.CLASS_BALANCED, 0.99));
    less.restore(replay.save());

    int[] ofClass = new int[3];
    kept(less, 100).forEach(offset -> ofClass[offset < 50 ? 0 : offset < 70 ? 1 : 2]++);

    assertThat(ofClass).as("seed %d", seed).containsExactly(12, 13, 5);
  }

  /** Each row of a class is as likely to stay as any other. */
  @Test
  void whichRowsOfAClassStayIsDrawn() throws IOException {
    int[] stayed = new int[20];
    for (int run = 0; run < 2_000; run++) {
      ReplaySettings all =
          new ReplaySettings(20, Keep.CLASS_BALANCED, 0.99, HalfLife.NONE, 0, seed + run);
      Replay replay = replay(all);
      for (int offset = 0; offset < 20; offset++) {
        Minibatch unused = step(replay, offset, 1);
      }
      Replay less =
          replay(new ReplaySettings(5, Keep.CLASS_BALANCED, 0.99, HalfLife.NONE, 0, seed + run));
      less.restore(replay.save());
      kept(less, 100).forEach(offset -> stayed[offset]++);
    }

    // 500 of each, with a standard deviation of 19.
    assertThat(Arrays.stream(stayed))
        .as("seed %d", seed)
        .allMatch(times -> times > 350 && times < 650);
  }

  @Test
  void whatTheModelCannotComputeWithIsNotKept() {
    Replay replay = replay(settings(50, Keep.RECENT, 0.9));
    Minibatch minibatch = minibatch(0, 3, 0);
    replay.beforeStep(minibatch, () -> null);
    BitSet unusable = new BitSet();
    unusable.set(1);
    minibatch.remove(unusable);

    replay.afterStep(minibatch, PREDICTIONS);

    assertThat(kept(replay, 3)).containsExactlyInAnyOrder(0, 2);
  }

  @ParameterizedTest
  @EnumSource(Keep.class)
  void afterARestartTheSameIsKeptAndReplayed(Keep keep) throws IOException {
    ReplaySettings settings = settings(20, keep, 0.6, HalfLife.of(Duration.ofMillis(50)), 0.3);
    Replay replay = replay(settings);
    for (int offset = 0; offset < 70; offset++) {
      Minibatch unused = step(replay, offset, 2, offset % 7 == 0 ? 1 : 0);
    }
    // Time goes on before it is kept.
    stepAt(replay, 70, 2_000);
    Replay restored = replay(settings);
    restored.restore(replay.save());

    for (int offset = 200; offset < 300; offset++) {
      Minibatch expected = step(replay, offset, 2, offset % 5 == 0 ? 2 : 0);
      Minibatch found = step(restored, offset, 2, offset % 5 == 0 ? 2 : 0);
      assertThat(found.size()).isEqualTo(expected.size());
      assertThat(found.features()).as("seed %d", seed).containsExactly(expected.features());
      assertThat(found.labels()).containsExactly(expected.labels());
      assertThat(found.weights()).containsExactly(expected.weights());
    }
  }

  @ParameterizedTest
  @EnumSource(Keep.class)
  void eachExampleStaysOnceWhateverTheParallelism(Keep keep) throws IOException {
    ReplaySettings settings = settings(64, keep, 0.99);
    List<byte[]> parts = new ArrayList<>();
    for (int replica = 0; replica < 2; replica++) {
      Replay replay = new Replay(settings, SHAPE, replica, 2);
      for (int offset = 0; offset < 30; offset++) {
        Minibatch unused = step(replay, replica * 1_000 + offset, 1, offset % 3);
      }
      parts.addAll(replay.save());
    }

    Set<Integer> all = new HashSet<>();
    int sizes = 0;
    for (int third = 0; third < 3; third++) {
      Replay replay = new Replay(settings, SHAPE, third, 3);
      replay.restore(parts.subList(third * 20, third * 20 + 20));
      sizes += replay.size();
      all.addAll(kept(replay, 5_000));
    }
    assertThat(all).as("2 to 3").hasSize(60);
    assertThat(sizes).isEqualTo(60);

    Replay one = new Replay(settings, SHAPE, 0, 1);
    one.restore(parts);
    assertThat(kept(one, 5_000)).as("2 to 1").isEqualTo(all);
    Replay less = new Replay(settings(40, keep, 0.99), SHAPE, 0, 1);
    less.restore(parts);
    assertThat(kept(less, 5_000)).as("no room for all").hasSize(40).isSubsetOf(all);
  }

  @Test
  void aClassThatARescaleLeftWithoutRowsIsKeptAgain() throws IOException {
    ReplaySettings settings = settings(3, Keep.CLASS_BALANCED, 0.9);
    Replay one = replay(settings);
    for (int offset = 0; offset < 300; offset++) {
      Minibatch unused = step(one, offset, 1, offset % 3);
    }
    List<byte[]> parts = one.save();
    for (int replica = 0; replica < 2; replica++) {
      Replay half = new Replay(settings, SHAPE, replica, 2);
      half.restore(parts.subList(replica * parts.size() / 2, (replica + 1) * parts.size() / 2));
      for (int offset = 1_000; offset < 1_010; offset++) {
        Minibatch unused = step(half, offset, 1, 0);
      }
      for (int offset = 2_001; offset < 2_300; offset++) {
        Minibatch unused = step(half, offset, 1, offset % 3);
      }

      assertThat(kept(half, 5_000).stream().map(offset -> offset / 1_000 == 1 ? 0 : offset % 3))
          .as("replica %d, seed %d", replica, seed)
          .containsExactlyInAnyOrder(0, 1, 2);
    }
  }

  @Test
  void theReservoirOfTwoStandsForWhatBothHaveSeen() throws IOException {
    ReplaySettings settings = settings(100, Keep.RESERVOIR, 0.995);
    List<byte[]> parts = new ArrayList<>();
    for (int replica = 0; replica < 2; replica++) {
      Replay replay = new Replay(settings, SHAPE, replica, 2);
      for (int offset = 0; offset < (replica == 0 ? 9_000 : 1_000); offset++) {
        Minibatch unused = step(replay, replica * 100_000 + offset, 1);
      }
      parts.addAll(replay.save());
    }
    Replay merged = new Replay(settings, SHAPE, 0, 1);
    merged.restore(parts);

    long ofFirst = kept(merged, 1_000_000).stream().filter(offset -> offset < 100_000).count();

    // Each of its rows stands for nine times as many, until few of them are left: about 82.
    assertThat(ofFirst).as("seed %d", seed).isBetween(65L, 97L);
  }

  @Test
  void minibatchesThatWaitAreAskedAboutOnceAndDrawDifferentRows() {
    Replay replay = replay(settings(500, Keep.RECENT, 0.5));
    Minibatch unused = step(replay, 0, 300);
    Minibatch first = minibatch(300, 20, 0);
    Minibatch second = minibatch(320, 20, 0);

    assertThat(replay.isReady(first)).isTrue();
    assertThat(replay.isReady(second)).isTrue();
    assertThat(replay.isReady(first)).isTrue();

    assertThat(first.size()).isEqualTo(40);
    assertThat(replayed(first)).isNotEqualTo(replayed(second));
    replay.beforeStep(first, () -> null);
    replay.afterStep(first, PREDICTIONS);
    assertThat(first.size()).isEqualTo(40);
    assertThatThrownBy(() -> replay.beforeStep(minibatch(340, 1, 0), () -> null))
        .isInstanceOf(IllegalStateException.class);
  }

  /** As where it fails, and is restored from a checkpoint of now. */
  @Test
  void whatIsRefusedIsTakenOutOfWhatWaitsAndThatIsDrawnAnew() throws IOException {
    ReplaySettings settings = settings(500, Keep.RECENT, 0.5);
    Replay replay = replay(settings);
    Minibatch unused = step(replay, 0, 50);
    replay.contributed();
    unused = step(replay, 50, 50);
    Minibatch waiting = minibatch(100, 40, 0);
    replay.isReady(waiting);
    assertThat(replayed(waiting)).anyMatch(offset -> offset >= 50);

    replay.refused();

    assertThat(waiting.size()).isEqualTo(40);
    Replay restored = replay(settings);
    restored.restore(replay.save());
    Minibatch again = minibatch(100, 40, 0);
    replay.isReady(waiting);
    restored.isReady(again);
    assertThat(replayed(waiting)).hasSize(40).allMatch(offset -> offset < 50);
    assertThat(replayed(waiting)).isEqualTo(replayed(again));
  }

  private static List<Integer> replayed(Minibatch minibatch) {
    return IntStream.range(minibatch.fresh(), minibatch.size())
        .mapToObj(row -> (int) minibatch.features()[row])
        .toList();
  }

  /** Each example has twice as many ids as its place is from a multiple of three, all its place. */
  @Test
  void idsAreKeptWithTheirExamples() throws IOException {
    ReplaySettings settings = settings(20, Keep.RESERVOIR, 0.9);
    Replay replay = new Replay(settings, WITH_IDS, 0, 1);
    for (int offset = 0; offset < 100; offset++) {
      Minibatch minibatch = withIds(offset);
      replay.beforeStep(minibatch, () -> null);
      replay.afterStep(minibatch, PREDICTIONS);
      // The last of those that stay takes the place of one that goes.
      if (offset == 40) {
        replay.contributed();
      } else if (offset == 60) {
        replay.refused();
      }
    }
    Replay restored = new Replay(settings, WITH_IDS, 0, 1);
    restored.restore(replay.save());
    Replay less = new Replay(settings(7, Keep.RESERVOIR, 0.9), WITH_IDS, 0, 1);
    less.restore(replay.save());

    for (Replay one : List.of(replay, restored, less)) {
      Minibatch minibatch = withIds(100);
      one.isReady(minibatch);
      assertThat(minibatch.size()).isEqualTo(Math.min(10, 1 + one.size()));
      assertThat(minibatch.ids().rows()).isEqualTo(minibatch.size());
      for (int row = 0; row < minibatch.size(); row++) {
        int offset = (int) minibatch.features()[row * 5];
        long[] own =
            Arrays.copyOfRange(
                minibatch.ids().ids(),
                minibatch.ids().start(2 * row),
                minibatch.ids().start(2 * row + 2));
        long[] expected = new long[2 * (offset % 3)];
        Arrays.fill(expected, offset);
        assertThat(own).as("seed %s", seed).containsExactly(expected);
      }
    }
    assertThatThrownBy(() -> new Replay(settings, OTHER_IDS, 0, 1).restore(replay.save()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("have 2 fields of ids, this job's 1");
  }

  private static Minibatch withIds(int offset) {
    Minibatch minibatch = new Minibatch(WITH_IDS, 1, 9);
    IdLists ids = new IdLists(2);
    for (int field = 0; field < 2; field++) {
      for (int i = 0; i < offset % 3; i++) {
        ids.add(offset);
      }
      ids.end();
    }
    minibatch.add(
        new float[] {offset, 0, 0, 0, 0},
        new float[] {1, 0, 0},
        new String[0],
        ids,
        0,
        1,
        PARTITION,
        offset);
    return minibatch;
  }

  @Test
  void examplesOfAnotherShapeAreRefused() throws IOException {
    Replay replay = replay(settings(10, Keep.RECENT, 0.5));
    Minibatch unused = step(replay, 0, 1);
    Replay other =
        new Replay(
            settings(10, Keep.RECENT, 0.5), new ExampleShape(2, 3, Target.CLASSIFICATION), 0, 1);

    assertThatThrownBy(() -> other.restore(replay.save()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("1 features, 3 labels and 0 words, this job's 2, 3 and 0");
  }

  private ReplaySettings settings(int size, Keep keep, double share) {
    return settings(size, keep, share, HalfLife.NONE, 0);
  }

  private ReplaySettings settings(
      int size, Keep keep, double share, HalfLife age, double distillation) {
    return new ReplaySettings(size, keep, share, age, distillation, seed);
  }

  private static Replay replay(ReplaySettings settings) {
    return new Replay(settings, SHAPE, 0, 1);
  }

  private static Minibatch step(Replay replay, int offset, int rows) {
    return step(replay, offset, rows, 0);
  }

  /** Learns some examples, the first of that offset, all of that class. */
  private static Minibatch step(Replay replay, int offset, int rows, int label) {
    Minibatch minibatch = minibatch(offset, rows, label);
    minibatch.noteTime(offset * 10L);
    replay.beforeStep(minibatch, () -> null);
    replay.afterStep(minibatch, PREDICTIONS);
    return minibatch;
  }

  /** Learns an example, of class 0, whose record is of that time. */
  private static void stepAt(Replay replay, int offset, long time) {
    Minibatch minibatch = minibatch(offset, 1, 0);
    if (time != Minibatch.NO_TIME) {
      minibatch.noteTime(time);
    }
    replay.beforeStep(minibatch, () -> null);
    replay.afterStep(minibatch, PREDICTIONS);
  }

  private static Minibatch minibatch(int offset, int rows, int label) {
    Minibatch minibatch = new Minibatch(SHAPE, rows + 1, 1_000);
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
    replay.beforeStep(minibatch, () -> null);
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
