package dev.millrace.snapshot;

import java.util.Objects;
import java.util.Optional;

/**
 * How well a model predicts the hold-out set, and what it is compared by with the served one.
 *
 * @param quality of the model, with the checksum of the set
 * @param others measures models that were measured on another set, or never
 */
public record HoldOutResult(Quality quality, ServedMeter others) {

  /** Measures the model that is served on the hold-out set that there is now. */
  @FunctionalInterface
  public interface ServedMeter {

    /** Empty where it can't be measured: this has told why. */
    Optional<Quality> measure(SnapshotDescription served, SnapshotStore store);
  }

  public HoldOutResult {
    Objects.requireNonNull(quality, "quality");
    Objects.requireNonNull(others, "others");
  }

  /** The served model's quality on the same set. */
  Optional<Quality> ofServed(SnapshotDescription served, SnapshotStore store) {
    Quality published = served.holdOut();
    return published != null && Objects.equals(published.set(), quality.set())
        ? Optional.of(published)
        : others.measure(served, store);
  }
}
