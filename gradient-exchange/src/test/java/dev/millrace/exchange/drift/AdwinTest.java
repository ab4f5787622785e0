package dev.millrace.exchange.drift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The window that ADWIN keeps. */
class AdwinTest {

  /** Lengths of a window are within bounds most often, and not for each seed. */
  private static final long SEED = 1;

  @Test
  void theWindowGrowsWhileNothingChangesAndForgetsWhatIsOver() {
    Random die = new Random(SEED);
    Adwin adwin = new Adwin(0.0001);
    for (int at = 0; at < 10_000; at++) {
      adwin.add(die.nextDouble() < 0.2 ? 1 : 0);
    }
    assertThat(adwin.length()).isEqualTo(10_000);

    for (int at = 0; at < 5_000; at++) {
      adwin.add(die.nextDouble() < 0.8 ? 1 : 0);
    }
    assertThat(adwin.length()).isBetween(4_000L, 6_000L);
  }

  @Test
  void aFallShortensTheWindowAndIsNotTold() {
    Random die = new Random(SEED);
    Adwin adwin = new Adwin(0.0001);
    for (int at = 0; at < 10_000; at++) {
      assertThat(adwin.add(die.nextDouble() < (at < 5_000 ? 0.8 : 0.2) ? 1 : 0)).isFalse();
    }
    assertThat(adwin.length()).isLessThan(6_500);
  }
}
