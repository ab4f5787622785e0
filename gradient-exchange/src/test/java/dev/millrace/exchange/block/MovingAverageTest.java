package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MovingAverageTest {

  private static final int ROUNDS = 400;

  @ParameterizedTest
  @ValueSource(doubles = {1, 50, 700, 1e6})
  void isWhatAPlainLoopInDoubleMakes(double halfLife) {
    long seed = Seeds.next();
    Random random = new Random(seed);
    float[] newest = values(random);
    MovingAverage average = MovingAverage.of(newest);
    double[] plain = {newest[0], newest[1], newest[2]};
    double all = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      newest = values(random);
      double examples = 2 + random.nextInt(64);
      all += examples;
      double decay = Math.pow(0.5, examples / Math.min(halfLife, all / 10));
      for (int i = 0; i < plain.length; i++) {
        plain[i] = decay * plain[i] + (1 - decay) * newest[i];
      }

      average.follow(newest, examples, halfLife);

      for (int i = 0; i < plain.length; i++) {
        assertThat((double) average.values()[i])
            .as("round %d, seed %d", round, seed)
            .isCloseTo(plain[i], within(1e-5));
      }
    }
  }

  /** After a half-life, half of it is what came since. */
  @Test
  void aHalfLifeIsCountedInExamples() {
    MovingAverage average = average(100_000, 3);

    average.follow(new float[] {4}, 500, 1_000);
    average.follow(new float[] {4}, 500, 1_000);

    assertThat(average.values()[0]).isCloseTo(3.5f, within(1e-6f));
  }

  /** One model, seen after every 8, 32 or 512 examples. */
  @ParameterizedTest
  @CsvSource({"8, 5e-4", "32, 1e-3", "512, 1e-2"})
  void theSizeOfRoundsDoesNotChangeWhatItMeans(int examples, double tolerance) {
    double halfLife = 1_024;
    double rate = 1e-4;
    MovingAverage average = average(0, 0);
    for (long seen = examples; seen <= 16_384; seen += examples) {
      average.follow(new float[] {(float) (1 - Math.exp(-rate * seen))}, examples, halfLife);
    }

    // The weighted mean over a time without steps.
    double decay = Math.log(2) / halfLife;
    double exact = 1 - Math.exp(-rate * 16_384) * decay / (decay - rate);
    assertThat((double) average.values()[0]).isCloseTo(exact, within(tolerance));
  }

  @Test
  void itsRandomStartIsSoonOutOfIt() {
    MovingAverage average = MovingAverage.of(new float[] {1_000});
    for (int round = 1; round <= 20; round++) {
      average.follow(new float[1], 96, 1e6);
    }

    assertThat(average.values()[0]).isLessThan(1e-6f);
  }

  /** Of 1 + 2^-8, each step of its own is less than half of a float's last bit. */
  @Test
  void stepsThatAFloatCanNotMakeWaitUntilTheyAreLarger() {
    MovingAverage average = average(1e12, 1);
    float target = 1 + 0x1p-8f;
    for (int round = 0; round < 1 << 21; round++) {
      average.follow(new float[] {target}, 1, 0x1p20);
    }

    double left = target - average.values()[0];
    assertThat(left / 0x1p-8).as("after two half-lives").isCloseTo(0.25, within(0.01));
  }

  @Test
  void isTheSameBitByBitAfterARestore() throws IOException {
    long seed = Seeds.next();
    Random random = new Random(seed);
    MovingAverage undisturbed = MovingAverage.of(values(random));
    undisturbed.follow(values(random), 1e7, 1e5);
    MovingAverage restored = read(written(undisturbed));
    for (int round = 0; round < ROUNDS; round++) {
      float[] newest = values(random);
      // So few that some rounds wait for others.
      double examples = 100 * random.nextDouble();

      undisturbed.follow(newest, examples, 1e5);
      restored.follow(newest, examples, 1e5);
      restored = read(written(restored));
    }

    assertThat(written(restored)).as("seed %d", seed).isEqualTo(written(undisturbed));
    assertThat(read(written(null))).isNull();
  }

  @Test
  void aHalfLifeIsANumberOfExamples() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Averaging(-1, false));
    assertThatIllegalArgumentException().isThrownBy(() -> new Averaging(Double.NaN, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Averaging(0, true))
        .withMessageContaining("can't be published");
  }

  /** One of so many examples, all of the same value. */
  private static MovingAverage average(double examples, float value) {
    MovingAverage average = MovingAverage.of(new float[] {value});
    if (examples > 0) {
      average.follow(new float[] {value}, examples, 1);
    }
    return average;
  }

  private static float[] values(Random random) {
    return new float[] {random.nextFloat(), 1 + random.nextFloat(), -random.nextFloat()};
  }

  private static byte[] written(MovingAverage average) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    MovingAverage.write(average, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static MovingAverage read(byte[] bytes) throws IOException {
    return MovingAverage.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }
}
