package dev.millrace.cli;

import dev.millrace.cli.models.NumberText;
import dev.millrace.exchange.savepoint.SavedModelReader;
import java.util.Locale;

/** Shows how much of a savepoint has been read. */
final class ReadProgress implements SavedModelReader.Progress {

  private final ReadingLine line;

  ReadProgress(ReadingLine line) {
    this.line = line;
  }

  /** Shows how far reading has come; see {@link ReadingLine#show} for an interrupt. */
  @Override
  public void read(int blocks, int ofBlocks, long bytes) {
    line.show(
        () ->
            String.format(
                Locale.ROOT,
                "%,d of %,d blocks (%d %%) · %s",
                blocks,
                ofBlocks,
                100L * blocks / ofBlocks,
                NumberText.size(bytes)));
  }
}
