package dev.millrace.cli.console;

import dev.millrace.exchange.savepoint.SavedModelReader;

/** Is told how far the reading of a savepoint has come: of its blocks, then of its rows. */
public interface ReadingProgress extends SavedModelReader.Progress {

  /** Is told nothing. */
  ReadingProgress NONE = (blocks, ofBlocks, bytes) -> {};

  /** Tells how many rows of all tables were read so far. */
  default void rows(long rows, long ofRows) {}
}
