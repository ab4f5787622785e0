package dev.millrace.job.follow;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.UnusableSnapshotException;
import java.io.IOException;
import java.util.Optional;

/**
 * The models of a place that are {@linkplain ModelTrust trusted}; others are refused unread.
 *
 * @param rowsOrNull where the rows are that models take; null where none do
 * @param updatesOrNull where updates of the models are; null where whole ones are waited for
 */
public record TrustedModels(
    ModelPlace place, ModelTrust trust, RowPlace rowsOrNull, UpdatePlace updatesOrNull)
    implements ModelPlace {

  /** Models that take no rows. */
  public TrustedModels(ModelPlace place, ModelTrust trust) {
    this(place, trust, null, null);
  }

  @Override
  public Optional<RowPlace> rows() {
    return Optional.ofNullable(rowsOrNull).or(place::rows);
  }

  @Override
  public Optional<UpdatePlace> updates() {
    return Optional.ofNullable(updatesOrNull).or(place::updates);
  }

  @Override
  public SnapshotFeed open() throws IOException {
    return new TrustedFeed(place.open(), trust);
  }

  @Override
  public String toString() {
    return place.toString();
  }

  private record TrustedFeed(SnapshotFeed feed, ModelTrust trust) implements SnapshotFeed {

    @Override
    public Optional<PublishedSnapshot> poll() throws IOException {
      Optional<PublishedSnapshot> found = feed.poll();
      if (found.isPresent()) {
        require(found.get());
      }
      return found;
    }

    private void require(PublishedSnapshot snapshot) throws IOException {
      try {
        trust.require(snapshot);
      } catch (InvalidModelException | IOException e) {
        throw new UnusableSnapshotException(
            "version %s (%s) can't be served: %s"
                .formatted(snapshot.description().version(), snapshot.origin(), e.getMessage()),
            e);
      }
    }

    @Override
    public void close() throws IOException {
      feed.close();
    }
  }
}
