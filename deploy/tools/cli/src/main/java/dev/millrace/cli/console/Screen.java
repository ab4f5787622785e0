package dev.millrace.cli.console;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Where a run reports to people: one live line that is written over on a terminal, and a plain line
 * every few seconds elsewhere, between lines that stay.
 *
 * <p>Not thread-safe.
 */
public final class Screen {

  /** Set by {@code deploy/bin/millrace}: columns of the terminal, 0 where output is no terminal. */
  static final String COLUMNS_PROPERTY = "millrace.columns";

  /**
   * Set by {@code deploy/bin/millrace}: columns of the standard error's terminal, 0 where it is
   * none.
   */
  static final String ERROR_COLUMNS_PROPERTY = "millrace.error.columns";

  public static final String CLEAR_LINE = "\r\u001b[K";
  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(5);

  private final PrintWriter out;
  private final int columns;
  private boolean lineIsLive;
  private long lastPlainNanos;
  private boolean hasWrittenPlain;

  /**
   * @param columns width of the terminal, 0 where output is no terminal
   */
  public Screen(PrintWriter out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  public static Screen of(PrintWriter out) {
    return new Screen(out, Integer.getInteger(COLUMNS_PROPERTY, 0));
  }

  /** Returns the screen of the standard error, which may be a terminal where output is none. */
  public static Screen ofErrors(PrintWriter err) {
    return new Screen(err, Integer.getInteger(ERROR_COLUMNS_PROPERTY, 0));
  }

  public static boolean onTerminal() {
    return Integer.getInteger(COLUMNS_PROPERTY, 0) > 0;
  }

  /** Writes a line that stays. */
  public void say(String line) {
    clear();
    out.println(line);
    out.flush();
  }

  /** Shows how many examples are in a topic while it is filled. */
  public void produced(long delivered) {
    if (delivered > 0) {
      live(String.format(Locale.ROOT, "Produced %,d examples", delivered), System.nanoTime());
    }
  }

  /** Shows a line that the next one replaces. */
  public void live(String line, long nanoTime) {
    if (columns > 0) {
      out.print(CLEAR_LINE + line.substring(0, Math.min(line.length(), columns - 1)));
      out.flush();
      lineIsLive = true;
    } else if (!hasWrittenPlain || nanoTime - lastPlainNanos >= PLAIN_INTERVAL.toNanos()) {
      hasWrittenPlain = true;
      lastPlainNanos = nanoTime;
      out.println(line);
      out.flush();
    }
  }

  /** Leaves the live line as it is, and the cursor below it. */
  public void keep() {
    if (lineIsLive) {
      out.println();
      out.flush();
      lineIsLive = false;
    }
  }

  /** Takes the live line away. */
  public void clear() {
    if (lineIsLive) {
      out.print(CLEAR_LINE);
      out.flush();
      lineIsLive = false;
    }
  }
}
