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
 * @param learned those that a minibatch has
 */
record LoggedRecords(RecordSet examples, RecordSet learned) {

  /**
   * Looks through all that was done.
   *
   * @param behind logs of what was done behind all entries
   * @param blocks of the model
   */
  static LoggedRecords of(List<LogEntry> entries, List<String> behind, int blocks) {
    LoggedRecords records = new LoggedRecords(new RecordSet(), new RecordSet());
    LogPlayer player = new LogPlayer(blocks, records.new Noting(blocks));
    for (LogEntry entry : entries) {
      if (entry instanceof LogEntry.Round made) {
        made.members().stream().map(Contributed::log).forEach(player::play);
      }
    }
    behind.forEach(player::play);
    return records;
  }

  private final class Noting implements LoggedDeeds {

    private final int blocks;

    Noting(int blocks) {
      this.blocks = blocks;
    }

    @Override
    public void learn(List<RecordRun> records) {
      records.forEach(learned::add);
      records.forEach(examples::add);
    }

    @Override
    public void holdOut(RecordRun records) {
      examples.add(records);
    }

    @Override
    public void before(int replica, String log) {
      new LogPlayer(blocks, this).play(log);
    }
  }
}
