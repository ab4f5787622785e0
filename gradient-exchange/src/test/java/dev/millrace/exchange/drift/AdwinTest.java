package dev.millrace.exchange.drift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The window that ADWIN keeps. */
class AdwinTest {

  @Test
  void theWindowGrowsWhileNothingChangesAndForgetsWhatIsOver() {
    long seed = new Random().nextLong();
    Random die = new Random(seed);
    Adwin adwin = new Adwin(0.0001);
    for (int at = 0; at < 10_000; at++) {
      adwin.add(die.nextDouble() < 0.2 ? 1 : 0);
    }
    assertThat(adwin.length()).as("seed %d", seed).isEqualTo(10_000);

    for (int at = 0; at < 5_000; at++) {
      adwin.add(die.nextDouble() < 0.8 ? 1 : 0);
    }
    assertThat(adwin.length()).as("seed %d", seed).isBetween(4_000L, 6_000L);
  }

  @Test
  void aFallShortensTheWindowAndIsNotTold() {
    long seed = new Random().nextLong();
    Random die = new Random(seed);
    Adwin adwin = new Adwin(0.0001);
    for (int at = 0; at < 10_000; at++) {
      assertThat(adwin.add(die.nextDouble() < (at < 5_000 ? 0.8 : 0.2) ? 1 : 0))
          .as("seed %d", seed)
          .isFalse();
    }
    assertThat(adwin.length()).as("seed %d", seed).isLessThan(6_500);
  }
}
