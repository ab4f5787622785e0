package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A {@link GlobalBlock} whose members come combined. */
class GlobalBlockPartsTest {

  private static final int SIZE = 16;

  private final BlockLayout layout = new BlockLayout(SIZE, SIZE, SIZE, List.of());
  private final Combiner combiner =
      new Combiner(layout, Aggregator.weightedMean(), ServerOptimizer.none(1));
  private final GlobalBlock block = begun();

  @Test
  void aRoundIsMadeWhenAllMembersHaveComeInParts() {
    block.add(TestDecisions.decision(0, 1, false, 0, 1, 2));
    block.add(part(1, 1, all(8), 2));
    assertThat(block.advance(combiner)).isNull();
    block.add(part(1, 3, all(4), 0, 1));

    assertThat(block.advance(combiner)).isNotNull();

    assertThat(block.update().values()).containsOnly(5);
  }

  /** One, as of a job that has just begun to gather, waits here already. */
  @Test
  void othersMayHaveComeByThemselves() {
    block.add(new Contribution(0, 1, 1, 1, payload(all(6))));
    block.add(part(1, 2, all(3), 0, 2));
    block.add(TestDecisions.decision(0, 1, false, 0, 1, 2));

    assertThat(block.advance(combiner)).isNotNull();

    assertThat(block.update().values()).containsOnly(4);
  }

  @Test
  void theResultIsTheSameBitByBitInWhateverOrderPartsCome() {
    long seed = Seeds.next();
    Random die = new Random(seed);
    List<Part> parts = new ArrayList<>();
    for (int part = 0; part < 6; part++) {
      parts.add(part(1, 1 + die.nextInt(50), random(die), part, 11 - part));
    }
    float[] expected = null;
    for (int run = 0; run < 50; run++) {
      GlobalBlock one = begun();
      Collections.shuffle(parts, die);
      int decided = die.nextInt(parts.size());
      for (int i = 0; i < parts.size(); i++) {
        if (i == decided) {
          one.add(TestDecisions.decision(0, 1, false, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
        }
        one.add(parts.get(i));
        boolean made = one.advance(combiner) != null;
        assertThat(made).as("seed %d", seed).isEqualTo(i == parts.size() - 1);
      }
      expected = expected == null ? one.update().values() : expected;
      assertThat(one.update().values()).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void partsOfTheRoundAfterMayComeFirst() {
    block.add(part(2, 1, all(2), 0, 1));
    block.add(part(1, 1, all(1), 0, 1));
    block.add(TestDecisions.decision(0, 1, false, 0, 1));
    block.add(TestDecisions.decision(0, 2, false, 0, 1));

    assertThat(block.advance(combiner).round()).isEqualTo(1);
    assertThat(block.update().values()).containsOnly(1);
    assertThat(block.advance(combiner).round()).isEqualTo(2);
    assertThat(block.update().values()).containsOnly(3);
  }

  @Test
  void noMemberCountsTwice() {
    block.add(TestDecisions.decision(0, 1, false, 0, 1, 2));
    block.add(part(1, 1, all(1), 0, 1));
    block.advance(combiner);

    assertThatIllegalStateException()
        .as("added up already")
        .isThrownBy(() -> block.add(part(1, 1, all(1), 1, 2)))
        .withMessage(
            "A part of round 1 came to block 0 with members {1, 2}, one of whom had come already");
    block.add(part(1, 1, all(1), 2));
    assertThat(block.advance(combiner)).isNotNull();
    assertThatIllegalStateException()
        .isThrownBy(() -> block.add(part(1, 1, all(1), 2)))
        .withMessage("A part of round 1 came to block 0, which is at round 1");
    assertThatIllegalStateException()
        .as("the first of replica 2 was in that round")
        .isThrownBy(() -> block.add(new Contribution(0, 2, 1, 1, payload(all(1)))))
        .withMessage("Contribution 1 of replica 2 came twice to block 0");
  }

  @Test
  void aPartOfSomebodyElseIsRefused() {
    block.add(TestDecisions.decision(0, 1, false, 0, 1));
    block.add(part(1, 1, all(1), 0, 7));

    assertThatIllegalStateException()
        .isThrownBy(() -> block.advance(combiner))
        .withMessage(
            "A part of round 1 came to block 0 with members {0, 7}, and the round lacks only {0, 1}");
  }

  @Test
  void noCheckpointIsTakenAmidARound() {
    block.add(TestDecisions.decision(0, 1, false, 0, 1));
    block.add(part(1, 1, all(1), 0));
    block.advance(combiner);

    assertThatIllegalStateException()
        .isThrownBy(() -> block.write(new DataOutputStream(new ByteArrayOutputStream())))
        .withMessage("Block 0 has parts of a round that isn't made; no checkpoint can hold them");
  }

  /** Of payloads that stay in memory, too, nothing that was sent is changed. */
  @Test
  void whatWasSentIsNotChanged() {
    float[] sent = all(2);
    block.add(new Part(0, 1, TestDecisions.members(0), 1, Payload.of(sent)));
    block.add(part(1, 1, all(4), 1));
    block.add(TestDecisions.decision(0, 1, false, 0, 1));

    block.advance(combiner);

    assertThat(block.update().values()).containsOnly(3);
    assertThat(sent).containsOnly(2);
  }

  /** Whatever is a mean, such as updater state under a sum, is a mean of all members. */
  @Test
  void twoLevelsAreOneButForRounding() {
    long seed = Seeds.next();
    Random die = new Random(seed);
    for (Aggregator aggregator : List.of(Aggregator.sum(), Aggregator.weightedMean())) {
      BlockLayout half = new BlockLayout(SIZE, SIZE / 2, SIZE / 2, List.of());
      Combiner one = new Combiner(half, aggregator, ServerOptimizer.none(1));
      for (int number = 0; number < 2; number++) {
        double first = 1 + die.nextInt(9);
        double second = 1 + die.nextInt(9);
        float[] a = random(die);
        float[] b = random(die);
        float[] sum = Arrays.copyOf(a, half.size(number));
        one.addPart(
            number,
            sum,
            first,
            new WaitingChange(0, second, TestPayloads.float32(0, b, half.size(number))));
        boolean adds = number == 0 && !aggregator.averages();
        for (int i = 0; i < sum.length; i++) {
          double expected = adds ? a[i] + b[i] : (first * a[i] + second * b[i]) / (first + second);
          assertThat((double) sum[i]).as("seed %d", seed).isCloseTo(expected, within(1e-5));
        }
      }
    }
  }

  private GlobalBlock begun() {
    GlobalBlock begun = new GlobalBlock(0);
    begun.initialize(new float[SIZE], ServerOptimizerState.NONE, combiner);
    return begun;
  }

  private static Part part(long round, double weight, float[] change, int... members) {
    return new Part(0, round, TestDecisions.members(members), weight, payload(change));
  }

  private static Payload payload(float[] change) {
    return TestPayloads.float32(0, change, change.length);
  }

  private static float[] all(float value) {
    float[] values = new float[SIZE];
    Arrays.fill(values, value);
    return values;
  }

  private static float[] random(Random die) {
    float[] values = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      values[i] = (float) die.nextGaussian();
    }
    return values;
  }
}
