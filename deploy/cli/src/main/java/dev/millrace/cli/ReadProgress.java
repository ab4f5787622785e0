package dev.millrace.cli;

import dev.millrace.cli.models.Texts;
import dev.millrace.exchange.savepoint.SavedModelReader;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows how much of a savepoint has been read, once that takes a while, on the standard error: a
 * command's own output may be piped.
 */
final class ReadProgress implements SavedModelReader.Progress {

  private static final Duration SHORT = Duration.ofMillis(500);

  private final Screen screen;
  private long begun;

  ReadProgress(PrintWriter err) {
    this.screen = Screen.of(err);
  }

  /**
   * Shows how far reading has come.
   *
   * @throws IllegalStateException if the thread is interrupted, which ends the reading
   */
  @Override
  public void read(int blocks, int ofBlocks, long bytes) {
    if (Thread.interrupted()) {
      throw new IllegalStateException("Interrupted");
    }
    long now = System.nanoTime();
    if (blocks == 1) {
      begun = now;
    }
    if (now - begun > SHORT.toNanos()) {
      screen.live(line(blocks, ofBlocks, bytes), now);
    }
  }

  static String line(int blocks, int ofBlocks, long bytes) {
    return String.format(
        Locale.ROOT,
        "%,d of %,d blocks (%d %%) · %s",
        blocks,
        ofBlocks,
        100L * blocks / ofBlocks,
        Texts.size(bytes));
  }

  /** Takes the line away, where it is one that is written over. */
  void done() {
    screen.clear();
  }
}
