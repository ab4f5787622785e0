package dev.millrace.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DigitGeneratorTest {

  private static final long SEED = 42;
  private static final int DRIFT = 4_000;

  private final float[] pixels = new float[DigitGenerator.IMAGE.pixels()];

  @Test
  void anImageDependsOnSeedAndIndexAlone() {
    DigitGenerator generator = new DigitGenerator(SEED, DRIFT);
    int digit = generator.draw(17, pixels);
    float[] first = pixels.clone();
    generator.draw(16, pixels);

    assertThat(new DigitGenerator(SEED, DRIFT).draw(17, pixels)).isEqualTo(digit);
    assertThat(pixels).containsExactly(first);
    assertThat(generator.draw(17, pixels)).isEqualTo(digit);
    assertThat(pixels).containsExactly(first);
    new DigitGenerator(SEED + 1, DRIFT).draw(17, pixels);
    assertThat(pixels).isNotEqualTo(first);
  }

  @Test
  void twoImagesAreNeverTheSame() {
    DigitGenerator generator = new DigitGenerator(SEED, DRIFT);

    long different =
        LongStream.range(0, 5_000)
            .mapToInt(
                index -> {
                  generator.draw(index, pixels);
                  return Arrays.hashCode(pixels);
                })
            .distinct()
            .count();

    assertThat(different).isGreaterThan(4_990);
  }

  @Test
  void pixelsLieBetweenPaperAndInk() {
    DigitGenerator generator = new DigitGenerator(SEED, DRIFT);
    for (int i = 0; i < 1_000; i++) {
      generator.draw(i, pixels);
      float ink = 0;
      for (float pixel : pixels) {
        assertThat(pixel).isBetween(0f, 1f);
        ink += pixel;
      }
      assertThat(ink / pixels.length).isBetween(0.02f, 0.5f);
    }
  }

  @Test
  void allDigitsComeEquallyOften() {
    int count = 20_000;

    long[] counts = classCounts(count);

    assertThat(counts).hasSize(10);
    for (long each : counts) {
      assertThat(each / (double) count).isCloseTo(0.1, within(0.01));
    }
  }

  /** What was learned of upright digits is of little use after the drift, and can be learned. */
  @Test
  void theDriftIsVisible() {
    DigitGenerator generator = new DigitGenerator(SEED, DRIFT);
    float[][] upright = means(generator, 0);
    float[][] turned = means(generator, DRIFT);

    double before = accuracy(generator, upright, DRIFT - 1_000);
    double after = accuracy(generator, upright, DRIFT + 3_000);
    double recovered = accuracy(generator, turned, DRIFT + 3_000);

    assertThat(before).isGreaterThan(0.55);
    assertThat(after).isLessThan(before - 0.3);
    assertThat(recovered).isCloseTo(before, within(0.08));
  }

  @Test
  void theHoldOutLooksAsAfterTheDriftAndSharesNoImageWithTheTraining() throws IOException {
    DigitExamples examples = new DigitExamples(100, SEED);
    float[][] turned = means(new DigitGenerator(SEED, 0), 0);
    int hits = 0;
    var holdOut = read(examples.holdOut());
    for (var example : holdOut) {
      hits += nearest(turned, example.features()) == label(example) ? 1 : 0;
    }

    assertThat(holdOut).hasSize(2_000);
    assertThat((double) hits / holdOut.size()).isGreaterThan(0.55);
    assertThat(holdOut.stream().map(example -> Arrays.hashCode(example.features())))
        .doesNotContainAnyElementsOf(
            read(examples.training()).stream()
                .map(example -> Arrays.hashCode(example.features()))
                .toList());
  }

  @Test
  void theDriftComesInTheMiddleOfTheTraining() throws IOException {
    var training = read(new DigitExamples(10, SEED).training());
    DigitGenerator upright = new DigitGenerator(SEED, Long.MAX_VALUE);

    for (int i = 0; i < 10; i++) {
      assertThat(upright.draw(i, pixels)).isEqualTo(label(training.get(i)));
      assertThat(Arrays.equals(pixels, training.get(i).features())).isEqualTo(i < 5);
    }
  }

  @Test
  void aDriftBeforeTheFirstImageIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DigitGenerator(SEED, -1))
        .withMessageContaining("-1");
  }

  private long[] classCounts(int count) {
    DigitGenerator generator = new DigitGenerator(SEED, DRIFT);
    long[] counts = new long[DigitGenerator.CLASSES];
    for (int i = 0; i < count; i++) {
      counts[generator.draw(i, pixels)]++;
    }
    return counts;
  }

  private static List<Example> read(ExampleSequence sequence) throws IOException {
    try (sequence) {
      List<Example> examples = new ArrayList<>();
      Example example = new Example(sequence.shape());
      while (sequence.next(example)) {
        examples.add(example.copy());
      }
      assertThat(sequence.count()).isEqualTo(examples.size());
      return examples;
    }
  }

  private static int label(Example example) {
    return IntStream.range(0, DigitGenerator.CLASSES)
        .filter(label -> example.labels()[label] == 1)
        .findFirst()
        .orElseThrow();
  }

  private float[][] means(DigitGenerator generator, long from) {
    float[][] means = new float[DigitGenerator.CLASSES][pixels.length];
    int[] counts = new int[means.length];
    for (long index = from; index < from + 3_000; index++) {
      int digit = generator.draw(index, pixels);
      counts[digit]++;
      for (int i = 0; i < pixels.length; i++) {
        means[digit][i] += (pixels[i] - means[digit][i]) / counts[digit];
      }
    }
    return means;
  }

  private double accuracy(DigitGenerator generator, float[][] means, long from) {
    int hits = 0;
    for (long index = from; index < from + 1_000; index++) {
      int digit = generator.draw(index, pixels);
      hits += nearest(means, pixels) == digit ? 1 : 0;
    }
    return hits / 1_000.0;
  }

  private static int nearest(float[][] means, float[] pixels) {
    int nearest = 0;
    double least = Double.MAX_VALUE;
    for (int digit = 0; digit < means.length; digit++) {
      double distance = 0;
      for (int i = 0; i < pixels.length; i++) {
        distance += (pixels[i] - means[digit][i]) * (pixels[i] - means[digit][i]);
      }
      if (distance < least) {
        least = distance;
        nearest = digit;
      }
    }
    return nearest;
  }

  @Test
  void skippedDigitsAreTheSameDigits() throws IOException {
    List<Example> all = read(new DigitExamples(6, SEED).training());
    List<Integer> seconds = new ArrayList<>();
    ExampleSequence sequence = new DigitExamples(6, SEED).training();
    Example example = new Example(sequence.shape());
    while (sequence.skip(example) && sequence.next(example)) {
      seconds.add(label(example));
    }

    assertThat(seconds).containsExactly(label(all.get(1)), label(all.get(3)), label(all.get(5)));
  }
}
