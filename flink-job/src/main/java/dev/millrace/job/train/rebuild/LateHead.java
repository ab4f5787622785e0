package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogPlayer;
import dev.millrace.exchange.log.LoggedDeeds;
import dev.millrace.exchange.log.RecordRun;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks whether a replica learned something before it heard of a round. What it is told again
 * doesn't count.
 *
 * <p>Not thread-safe.
 */
final class LateHead implements LoggedDeeds {

  private final long round;
  private final LogPlayer player;
  private final Set<Long> heads = new HashSet<>();
  private final Set<Long> blocks = new HashSet<>();
  private boolean learned;
  private boolean late;

  /**
   * @param blocks of the model
   */
  LateHead(long round, int blocks) {
    this.round = round;
    this.player = new LogPlayer(blocks, this);
  }

  /** Whether that is so in a log, behind its beginning. */
  boolean isIn(String beginning, String log) {
    player.play(beginning);
    learned = false;
    late = false;
    player.play(beginning, log);
    return late;
  }

  @Override
  public void learn(List<RecordRun> records) {
    learned = true;
  }

  @Override
  public void acceptHead(long head) {
    late |= heads.add(head) && learned && head <= round;
  }

  @Override
  public void acceptBlocks(long ofRound, BitSet told) {
    late |= blocks.add(ofRound) && learned && ofRound <= round;
  }
}
