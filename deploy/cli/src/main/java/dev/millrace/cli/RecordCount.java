package dev.millrace.cli;

import java.util.Locale;
import java.util.function.LongConsumer;

/** Shows how many records have been read so far. */
final class RecordCount implements LongConsumer {

  private final Screen screen;
  private long read;

  RecordCount(Screen screen) {
    this.screen = screen;
  }

  /**
   * Takes further records into account.
   *
   * @throws IllegalStateException if the thread is interrupted, which ends the reading
   */
  @Override
  public void accept(long more) {
    if (Thread.interrupted()) {
      throw new IllegalStateException("Interrupted");
    }
    read += more;
    screen.live(String.format(Locale.ROOT, "%,d records read", read), System.nanoTime());
  }
}
