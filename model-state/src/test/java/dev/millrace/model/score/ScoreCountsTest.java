package dev.millrace.model.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.Bytes;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScoreCountsTest {

  /** What docs/internals/evaluation.md promises. */
  private static final double GREATEST_ERROR = 2e-4;

  private static final int EXAMPLES = 200_000;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);

  /**
   * @param base log-odds of the mean example, −4.6 being 1 %
   * @param spread deviation of the log-odds that decide
   * @param noise deviation of what the model adds to these
   * @param sharpness what the model multiplies them by
   */
  @ParameterizedTest
  @CsvSource({
    "0, 1, 0.5, 1",
    "-4.6, 1, 0.5, 1",
    "-4.6, 0.3, 0.1, 1",
    "-7, 1.5, 0.5, 1",
    "-4.6, 1.5, 0.3, 0.5",
    "0, 4, 1, 3",
    "-5, 3, 1, 3",
    "3, 1, 0.5, 1"
  })
  void theAreaIsThatOfSortedScores(double base, double spread, double noise, double sharpness) {
    float[] scores = new float[EXAMPLES];
    boolean[] positive = new boolean[EXAMPLES];
    ScoreCounter counter = new ScoreCounter();
    for (int i = 0; i < EXAMPLES; i++) {
      double decides = spread * random.nextGaussian();
      positive[i] = random.nextDouble() < sigmoid(base + decides);
      scores[i] = (float) sigmoid(base + sharpness * (decides + noise * random.nextGaussian()));
      counter.add(scores[i], positive[i]);
    }

    assertThat(counter.counts().area())
        .as("seed %s", seed)
        .isCloseTo(bySorting(scores, positive), within(GREATEST_ERROR));
  }

  @Test
  void equalScoresCountByHalf() {
    ScoreCounter counter = new ScoreCounter();
    counter.add(0.5f, true);
    counter.add(0.5f, false);
    counter.add(0.75f, true);
    counter.add(0.25f, true);

    // Of three pairs one is in order, and one half is.
    assertThat(counter.counts().area()).isEqualTo(0.5);
    assertThat(counter.counts().examples()).isEqualTo(4);
    assertThat(counter.counts().positives()).isEqualTo(3);
  }

  @Test
  void thereIsNoAreaWithoutBothKinds() {
    ScoreCounter counter = new ScoreCounter();
    assertThat(counter.counts()).isSameAs(ScoreCounts.NONE);
    assertThat(ScoreCounts.NONE.area()).isNaN();

    counter.add(0.5f, true);

    assertThat(counter.counts().area()).isNaN();
  }

  @Test
  void aScoreThatIsNoNumberIsTheLowest() {
    ScoreCounter counter = new ScoreCounter();
    counter.add(Float.NaN, false);
    counter.add(0x1p-30f, true);

    assertThat(counter.counts().area()).isEqualTo(1);
  }

  @Test
  void partsInAnyOrderAreTheWholeExactly() {
    ScoreCounter whole = new ScoreCounter();
    ScoreCounter[] parts =
        IntStream.range(0, 7).mapToObj(i -> new ScoreCounter()).toArray(ScoreCounter[]::new);
    for (int i = 0; i < 5_000; i++) {
      float score = (float) sigmoid(3 * random.nextGaussian() - 3);
      boolean positive = random.nextInt(10) == 0;
      whole.add(score, positive);
      parts[random.nextInt(parts.length)].add(score, positive);
    }
    ScoreCounts sum = ScoreCounts.NONE;
    ScoreCounter added = new ScoreCounter();
    for (int i = parts.length - 1; i >= 0; i--) {
      sum = sum.plus(parts[i].counts());
      added.add(parts[i].counts());
    }

    assertThat(sum).as("seed %s", seed).isEqualTo(whole.counts()).hasSameHashCodeAs(whole.counts());
    assertThat(added.counts()).as("seed %s", seed).isEqualTo(whole.counts());
    assertThat(sum.area()).as("seed %s", seed).isEqualTo(whole.counts().area());

    for (ScoreCounter part : parts) {
      added.subtract(part.counts());
    }
    assertThat(added.counts()).isEqualTo(ScoreCounts.NONE);
  }

  @Test
  void whatWasReturnedStaysAsItIs() {
    ScoreCounter counter = new ScoreCounter();
    counter.add(0.5f, true);
    ScoreCounts before = counter.counts();

    counter.add(0.5f, true);
    counter.clear();

    assertThat(before.examples()).isEqualTo(1);
    assertThat(counter.counts()).isSameAs(ScoreCounts.NONE);
  }

  @Test
  void bytesAreFewAndReadBack() throws IOException {
    ScoreCounter counter = new ScoreCounter();
    for (int i = 0; i < 64; i++) {
      counter.add((float) sigmoid(random.nextGaussian() - 4), random.nextInt(50) == 0);
    }
    counter.add(new ScoreCounts(new int[] {0, ScoreCounts.CELLS - 1}, new long[] {1, 1L << 62}));
    ScoreCounts counts = counter.counts();

    byte[] bytes = Bytes.of(out -> ScoreCounts.WIRE.write(counts, out));

    assertThat(ScoreCounts.WIRE.read(Bytes.in(bytes))).as("seed %s", seed).isEqualTo(counts);
    assertThat(bytes.length).as("seed %s", seed).isLessThan(3 * 66 + 16);
    assertThat(Bytes.of(out -> ScoreCounts.WIRE.write(ScoreCounts.NONE, out))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01 ffffffffffffffffff01",
        "01 ff7f 01 01",
        "01 01 00 01",
        "01 01 01 00",
        "01 02 01 01 00 01",
        "01 01 ff7f 01",
        "01 01 ffffffffffffffffff01 01",
        "01 01 01 ffffffffffffffffffffff01",
        "01 01 01 ffffffffffffffffff01",
        "01 02 01 01"
      })
  void damagedBytesAreRefused(String damaged) {
    byte[] bytes = HexFormat.of().parseHex(damaged.replace(" ", ""));

    assertThatThrownBy(() -> ScoreCounts.WIRE.read(Bytes.in(bytes)))
        .isInstanceOf(IOException.class);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  private static double bySorting(float[] scores, boolean[] positive) {
    Integer[] order = IntStream.range(0, scores.length).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparing(i -> scores[i]));
    double sum = 0;
    double below = 0;
    double positives = 0;
    for (int from = 0; from < order.length; ) {
      int to = from;
      double negativeTies = 0;
      double positiveTies = 0;
      for (; to < order.length && scores[order[to]] == scores[order[from]]; to++) {
        negativeTies += positive[order[to]] ? 0 : 1;
        positiveTies += positive[order[to]] ? 1 : 0;
      }
      sum += positiveTies * (below + negativeTies / 2);
      below += negativeTies;
      positives += positiveTies;
      from = to;
    }
    return sum / (positives * below);
  }
}
