package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;

/** What contributions carry. */
final class Changes {

  private Changes() {}

  /** The {@code size} values of a contribution. */
  static float[] of(Contribution contribution, int size) {
    return contribution.payload().receive(new float[size], size);
  }
}
