package dev.millrace.exchange.block;

import dev.millrace.exchange.round.ContributionSequences;

/**
 * The newest state of one parameter block of the global model, on its way to every replica. A newer
 * update of a block makes an older one needless.
 *
 * @param block the parameter block
 * @param round how many rounds are in it
 * @param values the block, whole
 * @param included newest contribution of each replica that is in it
 */
public record BlockUpdate(int block, long round, float[] values, ContributionSequences included)
    implements Feedback {

  @Override
  public long bytes() {
    return (long) values.length * Float.BYTES;
  }
}
