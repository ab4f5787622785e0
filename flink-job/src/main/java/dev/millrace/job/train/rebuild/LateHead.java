package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogPlayer;
import dev.millrace.exchange.log.LoggedDeeds;
import dev.millrace.exchange.log.RecordRun;
import java.util.BitSet;
import java.util.List;

/**
 * Looks whether a replica learned something before it heard of a round.
 *
 * <p>Not thread-safe.
 */
final class LateHead implements LoggedDeeds {

  private final long round;
  private final int blocks;
  private boolean learned;
  private boolean late;

  /**
   * @param blocks of the model
   */
  LateHead(long round, int blocks) {
    this.round = round;
    this.blocks = blocks;
  }

  /** Whether that is so in a log, behind its beginning. */
  boolean isIn(String beginning, String log) {
    new LogPlayer(blocks, this).play(beginning, log);
    return late;
  }

  @Override
  public void learn(List<RecordRun> records) {
    learned = true;
  }

  @Override
  public void acceptHead(long head) {
    late |= learned && head <= round;
  }

  @Override
  public void acceptBlocks(long ofRound, BitSet told) {
    late |= learned && ofRound <= round;
  }
}
