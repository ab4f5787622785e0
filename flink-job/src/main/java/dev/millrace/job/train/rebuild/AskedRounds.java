package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogPlayer;
import dev.millrace.exchange.log.LoggedDeeds;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Until when each round is asked for: a replica that was idle for long may be told of an old one.
 */
final class AskedRounds {

  private final Map<Long, Integer> last = new HashMap<>();
  private final int blocks;

  private AskedRounds(int blocks) {
    this.blocks = blocks;
  }

  /**
   * Looks through what is to be done.
   *
   * @param behind logs of what is done behind all entries
   * @param blocks of the model
   */
  static AskedRounds of(List<LogEntry> entries, List<String> behind, int blocks) {
    AskedRounds asked = new AskedRounds(blocks);
    for (int at = 0; at < entries.size(); at++) {
      if (entries.get(at) instanceof LogEntry.Round made) {
        LogPlayer player = new LogPlayer(blocks, asked.new Asking(at));
        made.members().stream().map(Contributed::log).forEach(player::play);
      }
    }
    behind.forEach(new LogPlayer(blocks, asked.new Asking(entries.size()))::play);
    return asked;
  }

  /** Whether somebody asks for a round behind the entry of that place. */
  boolean isAskedBehind(int place, long round) {
    return last.getOrDefault(round, -1) > place;
  }

  /** Notes what is asked for, and does nothing. */
  private final class Asking implements LoggedDeeds {

    private final int by;

    Asking(int by) {
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
    public void before(int replica, String log) {
      new LogPlayer(blocks, this).play(log);
    }
  }
}
