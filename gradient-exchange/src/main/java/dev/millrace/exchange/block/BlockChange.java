package dev.millrace.exchange.block;

import dev.millrace.exchange.codec.Payload;

/**
 * What has changed in one parameter block of the global model since its receivers were last told.
 *
 * @param block the parameter block
 * @param base the round that they were told of
 * @param round the newest round that changed it
 * @param payload the encoded change
 */
public record BlockChange(int block, long base, long round, Payload payload) implements Feedback {

  @Override
  public long bytes() {
    return payload.length();
  }
}
