package dev.millrace.exchange.steering;

import java.util.List;

/**
 * What a hook makes of a round.
 *
 * @param changed whether the stream has changed, so that replicas which keep an older model keep
 *     this round's
 * @param steps what local steps between contributions are multiplied by; 1 for nothing
 * @param batch what the examples of a minibatch are multiplied by; 1 for nothing
 * @param publish whether the round's model is published at once, and kept
 * @param notices for people
 */
public record Verdict(
    boolean changed, double steps, double batch, boolean publish, List<Notice> notices) {

  /** Nothing follows: training is as it is configured. */
  public static final Verdict NOTHING = new Verdict(false, 1, 1, false, List.of());

  public Verdict {
    notices = List.copyOf(notices);
  }
}
