package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogPlayer;
import dev.millrace.exchange.log.LoggedDeeds;
import dev.millrace.exchange.log.RecordRun;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Until when each round is asked for: a replica that was idle for long may be told of an old one.
 */
final class AskedRounds {

  private final Map<Long, Long> last = new HashMap<>();
  private final int blocks;

  private AskedRounds(int blocks) {
    this.blocks = blocks;
  }

  /**
   * Looks through the rounds that are to be made.
   *
   * @param blocks of the model
   */
  static AskedRounds of(List<LogEntry> entries, int blocks) {
    AskedRounds asked = new AskedRounds(blocks);
    for (LogEntry entry : entries) {
      if (entry instanceof LogEntry.Round made) {
        LogPlayer player = new LogPlayer(blocks, asked.new Asking(made.version().round()));
        made.members().stream().map(Contributed::log).forEach(player::play);
      }
    }
    return asked;
  }

  /** Whether somebody asks for a round when one after {@code made} is made. */
  boolean isAskedAfter(long made, long round) {
    return last.getOrDefault(round, -1L) > made;
  }

  /** Notes what is asked for, and does nothing. */
  private final class Asking implements LoggedDeeds {

    private final long by;

    Asking(long by) {
      this.by = by;
    }

    @Override
    public void acceptHead(long round) {
      last.merge(round, by, Math::max);
    }

    @Override
    public void acceptBlocks(long round, BitSet ofRound) {
      last.merge(round, by, Math::max);
    }

    @Override
    public void learn(List<RecordRun> records) {}

    @Override
    public void reject(RecordRun records) {}

    @Override
    public void skip(RecordRun records) {}

    @Override
    public void holdOut(RecordRun records) {}

    @Override
    public void endDelay() {}

    @Override
    public void inputEnded() {}

    @Override
    public void check() {}

    @Override
    public void contribute(Contributing how) {}

    @Override
    public void before(int replica, String log) {
      new LogPlayer(blocks, this).play(log);
    }

    @Override
    public void restored(List<Integer> replicas) {}
  }
}
