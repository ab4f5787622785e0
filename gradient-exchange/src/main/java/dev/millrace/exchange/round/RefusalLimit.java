package dev.millrace.exchange.round;

import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import java.io.Serializable;
import java.util.Optional;

/**
 * How many contributions in a row a replica may refuse before the job fails permanently.
 *
 * @param most 0 for any number
 * @param advice how a user changes the limit; the end of the message when it is exceeded
 */
public record RefusalLimit(long most, String advice) implements Serializable {

  /** Any number. */
  public static final RefusalLimit NONE = new RefusalLimit(0, "");

  /**
   * Says what is wrong, and what to do.
   *
   * @param inARow how many the replica has refused since its last contribution, this one included
   * @return empty while the limit isn't exceeded
   */
  public Optional<String> exceeded(int inARow, Refusal refusal) {
    if (most == 0 || inARow <= most) {
      return Optional.empty();
    }
    return Optional.of(
        ("%s contributions in a row of replica %s were left out of the model, and at most %s may"
                + " be. Of the newest: %s. %s")
            .formatted(inARow, refusal.replica(), most, refusal.reason(), advice)
            .strip());
  }
}
