package dev.millrace.cli;

import java.util.Locale;
import java.util.function.LongConsumer;

/** Shows how many examples are in a topic while it is filled. */
final class ProducerProgress implements LongConsumer {

  private final Screen screen;

  ProducerProgress(Screen screen) {
    this.screen = screen;
  }

  @Override
  public void accept(long delivered) {
    if (delivered > 0) {
      screen.live(
          String.format(Locale.ROOT, "Produced %,d examples", delivered), System.nanoTime());
    }
  }
}
