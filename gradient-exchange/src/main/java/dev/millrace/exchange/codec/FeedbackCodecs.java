package dev.millrace.exchange.codec;

import java.io.Serializable;

/**
 * How changes of the global model are encoded on their way back to replicas. Parameters and the
 * updater's state share no codec, for the reason that {@link ContributionEncoder} has.
 *
 * @param parameters codec of the parameters' changes; null where their blocks go back whole
 * @param updaterState codec of the updater's state; null where its blocks go back whole
 */
public record FeedbackCodecs(Codec parameters, Codec updaterState) implements Serializable {

  /** Everything goes back whole. */
  public static final FeedbackCodecs WHOLE = new FeedbackCodecs(null, null);

  /** Whether any block goes back as changes. */
  public boolean sendChanges() {
    return parameters != null || updaterState != null;
  }
}
