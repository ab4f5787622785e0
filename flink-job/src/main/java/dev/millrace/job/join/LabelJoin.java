package dev.millrace.job.join;

import dev.millrace.job.join.KeyState.Done;
import dev.millrace.job.join.KeyState.Waiting;
import java.time.Instant;

/**
 * Joins features with labels of the same key: the whole of the join, one key at a time. What is
 * known of a key is handed in and out, and kept by others.
 *
 * <p>Each record goes to {@link JoinResults} once, or waits. No features are in two results,
 * however often and however late their records come again with the same time.
 */
final class LabelJoin {

  private final JoinBounds bounds;

  LabelJoin(JoinBounds bounds) {
    this.bounds = bounds;
  }

  /**
   * A record has come.
   *
   * @param known of its key; null for nothing
   * @param watermark up to which all events have come
   * @return what is known from now on; the same object where nothing has changed, null for nothing
   */
  KeyState arrived(KeyState known, JoinRecord record, long watermark, JoinResults results) {
    return record.side() == Side.FEATURES
        ? features(known, record, watermark, results)
        : label(known, record, watermark, results);
  }

  private KeyState features(
      KeyState known, JoinRecord features, long watermark, JoinResults results) {
    if (known instanceof Waiting waiting && waiting.record().side() == Side.LABEL) {
      if (belongs(waiting.record(), features)) {
        results.pair(features, waiting.record());
        return new Done(true, features.time());
      }
      apart(waiting.record(), features, results);
    } else if (known != null) {
      results.duplicate(features, "features of this key have come before");
      return known;
    }
    if (watermark >= bounds.until(features.time())) {
      results.late(
          features,
          "features of %s, which waited for a label until %s, when everything up to %s had come"
              .formatted(
                  text(features.time()), text(bounds.until(features.time())), text(watermark)));
      return null;
    }
    return new Waiting(features);
  }

  private KeyState label(KeyState known, JoinRecord label, long watermark, JoinResults results) {
    if (known instanceof Done done) {
      if (done.labelled()) {
        results.duplicate(label, "a label of this key has come before");
      } else {
        results.late(
            label,
            "a label of features of %s, which waited for it until %s"
                .formatted(text(done.features()), text(bounds.until(done.features()))));
      }
      return known;
    }
    if (known instanceof Waiting waiting) {
      JoinRecord other = waiting.record();
      if (other.side() == Side.LABEL) {
        results.duplicate(label, "a label of this key has come before");
        return known;
      }
      if (belongs(label, other)) {
        results.pair(other, label);
        return new Done(true, other.time());
      }
      apart(label, other, results);
      return known;
    }
    if (watermark >= bounds.labelUntil(label.time())) {
      noFeatures(label, results);
      return null;
    }
    return new Waiting(label);
  }

  /**
   * The watermark has reached {@link #until} of what is known.
   *
   * @return what is known from now on; null for nothing
   */
  KeyState ended(KeyState known, JoinResults results) {
    if (!(known instanceof Waiting waiting)) {
      return null;
    }
    if (waiting.record().side() == Side.LABEL) {
      noFeatures(waiting.record(), results);
      return null;
    }
    results.unlabelled(waiting.record());
    return new Done(false, waiting.record().time());
  }

  /** The watermark at which {@link #ended} is due. */
  long until(KeyState known) {
    if (known instanceof Done done) {
      return bounds.known(done.features());
    }
    JoinRecord record = ((Waiting) known).record();
    return record.side() == Side.FEATURES
        ? bounds.until(record.time())
        : bounds.labelUntil(record.time());
  }

  private boolean belongs(JoinRecord label, JoinRecord features) {
    return bounds.isInTime(label.time(), features.time())
        && bounds.isAfter(label.time(), features.time());
  }

  /** A label and features of one key that don't belong together. */
  private void apart(JoinRecord label, JoinRecord features, JoinResults results) {
    results.late(
        label,
        bounds.isInTime(label.time(), features.time())
            ? "a label of %s, before its features of %s"
                .formatted(text(label.time()), text(features.time()))
            : "a label of %s, for features of %s that waited for it until %s"
                .formatted(
                    text(label.time()),
                    text(features.time()),
                    text(bounds.until(features.time()))));
  }

  private void noFeatures(JoinRecord label, JoinResults results) {
    results.late(
        label,
        "a label of %s without features, which would have come until %s"
            .formatted(text(label.time()), text(bounds.labelUntil(label.time()))));
  }

  private static String text(long time) {
    return time == Long.MAX_VALUE ? "the end" : Instant.ofEpochMilli(time).toString();
  }
}
