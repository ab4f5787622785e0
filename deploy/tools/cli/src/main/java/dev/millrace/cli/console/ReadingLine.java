package dev.millrace.cli.console;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shows how far a command has read, once that takes a while, on the standard error: a command's own
 * output may be piped. On a terminal nothing of it is left when it is closed.
 *
 * <p>Belongs to one thread at a time.
 */
public final class ReadingLine implements ReadingProgress, AutoCloseable {

  private static final Duration SHORT = Duration.ofMillis(500);

  private final Screen screen;
  private final LongSupplier nanoClock;
  private final long begun;
  private long records;

  public ReadingLine(PrintWriter err) {
    this(Screen.ofErrors(err), System::nanoTime);
  }

  public ReadingLine(Screen screen, LongSupplier nanoClock) {
    this.screen = screen;
    this.nanoClock = nanoClock;
    this.begun = nanoClock.getAsLong();
  }

  /**
   * Shows a line in the place of the last one.
   *
   * @throws IllegalStateException if the thread is interrupted, which ends the reading
   */
  public void show(Supplier<String> line) {
    if (Thread.interrupted()) {
      throw new IllegalStateException("Interrupted");
    }
    long now = nanoClock.getAsLong();
    if (now - begun > SHORT.toNanos()) {
      screen.live(line.get(), now);
    }
  }

  @Override
  public void read(int blocks, int ofBlocks, long bytes) {
    show(
        () ->
            String.format(
                Locale.ROOT,
                "%,d of %,d blocks (%d %%) · %s",
                blocks,
                ofBlocks,
                100L * blocks / ofBlocks,
                NumberText.size(bytes)));
  }

  @Override
  public void rows(long rows, long ofRows) {
    show(() -> String.format(Locale.ROOT, "%,d of %,d rows", rows, ofRows));
  }

  /** Shows how many records have been read so far, with further ones. */
  public void records(long more) {
    records += more;
    show(() -> String.format(Locale.ROOT, "%,d records read", records));
  }

  /** Shows how many rounds have been followed. */
  public void rounds(long done, long all) {
    show(
        () -> String.format(Locale.ROOT, "%,d of %,d rounds (%d %%)", done, all, 100 * done / all));
  }

  @Override
  public void close() {
    screen.clear();
  }
}
