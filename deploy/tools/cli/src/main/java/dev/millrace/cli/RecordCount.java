package dev.millrace.cli;

import java.util.Locale;
import java.util.function.LongConsumer;

/** Shows how many records have been read so far. */
final class RecordCount implements LongConsumer {

  private final ReadingLine line;
  private long read;

  RecordCount(ReadingLine line) {
    this.line = line;
  }

  /** Adds further records; see {@link ReadingLine#show} for an interrupt. */
  @Override
  public void accept(long more) {
    read += more;
    line.show(() -> String.format(Locale.ROOT, "%,d records read", read));
  }
}
