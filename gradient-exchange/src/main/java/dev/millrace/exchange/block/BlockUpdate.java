package dev.millrace.exchange.block;

/**
 * The newest state of one parameter block of the global model, on its way to every replica. A newer
 * update of a block makes an older one needless.
 *
 * @param block the parameter block
 * @param round the newest round that changed it
 * @param values the block, whole
 */
public record BlockUpdate(int block, long round, float[] values) implements Feedback {

  @Override
  public long bytes() {
    return (long) values.length * Float.BYTES;
  }
}
