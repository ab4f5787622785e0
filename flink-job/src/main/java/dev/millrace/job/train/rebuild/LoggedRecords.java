package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogPlayer;
import dev.millrace.exchange.log.LoggedDeeds;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import java.util.List;

/**
 * Records that a log names as examples.
 *
 * @param examples all of them
 * @param learned those that a minibatch has, of what is followed
 */
record LoggedRecords(RecordSet examples, RecordSet learned) {

  /**
   * Looks through all that was done.
   *
   * @param behind logs of what was done behind all entries
   * @param blocks of the model
   */
  static LoggedRecords of(LogChain chain, List<String> behind, int blocks) {
    LoggedRecords records = new LoggedRecords(new RecordSet(), new RecordSet());
    note(chain.before(), records.new Noting(blocks, false));
    Noting followed = records.new Noting(blocks, true);
    note(chain.entries(), followed);
    behind.forEach(followed::play);
    return records;
  }

  private static void note(List<LogEntry> entries, Noting noting) {
    for (LogEntry entry : entries) {
      if (entry instanceof LogEntry.Round made) {
        made.members().stream().map(Contributed::log).forEach(noting::play);
      }
    }
  }

  private final class Noting implements LoggedDeeds {

    private final int blocks;
    private final LogPlayer player;
    private final boolean isFollowed;

    Noting(int blocks, boolean isFollowed) {
      this.blocks = blocks;
      this.player = new LogPlayer(blocks, this);
      this.isFollowed = isFollowed;
    }

    void play(String log) {
      player.play(log);
    }

    @Override
    public void learn(List<RecordRun> records) {
      if (isFollowed) {
        records.forEach(learned::add);
      }
      records.forEach(examples::add);
    }

    @Override
    public void holdOut(RecordRun records) {
      examples.add(records);
    }

    @Override
    public void before(int replica, String log) {
      new Noting(blocks, isFollowed).play(log);
    }
  }
}
