package dev.millrace.cli.rebuild;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.LearnedFeatures;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Compares versions that are made again with those that were published, up to the first that
 * differs. A job may publish meanwhile, and remove older ones: these are passed over.
 *
 * <p>Not thread-safe.
 */
public final class Verification {

  /** Compares with nothing. */
  static final Verification NONE = new Verification(null, Set.of(), null, null, 1);

  /**
   * Where a model parts from the published one.
   *
   * @param lastSame the newest version before that is the same; null if none was compared
   * @param what differs first
   */
  public record Difference(ModelVersion version, ModelVersion lastSame, String what) {

    @Override
    public String toString() {
      return "Version %s isn't what was published: %s. %s"
          .formatted(
              version,
              what,
              lastSame == null
                  ? "No version before it is there to compare with"
                  : "Version %s is still the same".formatted(lastSame));
    }
  }

  private final PublishedModels published;
  private final Set<ModelVersion> versions;
  private final ModelVersion last;
  private final ArchivedModel lastModel;
  private final int blockSize;
  private ModelVersion lastSame;
  private int same;
  private int gone;
  private Difference difference;

  private Verification(
      PublishedModels published,
      Set<ModelVersion> versions,
      ModelVersion last,
      ArchivedModel lastModel,
      int blockSize) {
    this.published = published;
    this.versions = versions;
    this.last = last;
    this.lastModel = lastModel;
    this.blockSize = blockSize;
  }

  /**
   * Compares with all that is published now.
   *
   * @param last must be among these; it is read at once, before it is removed
   * @param blockSize values of a block
   * @throws IOException if it isn't
   */
  public static Verification of(PublishedModels published, ModelVersion last, int blockSize)
      throws IOException {
    ArchivedModel lastModel = published.read(last);
    return new Verification(published, published.versions(), last, lastModel, blockSize);
  }

  /** Whether a version is to be compared. */
  public boolean isOf(ModelVersion version) {
    return versions.contains(version);
  }

  /** Compares a model. Returns whether it is the same, or is gone. */
  public boolean isSame(GlobalModel model) throws IOException {
    Optional<ArchivedModel> theirs = find(model.version());
    if (theirs.isEmpty()) {
      gone++;
      return true;
    }
    Optional<String> differs = difference(model, theirs.get());
    if (differs.isEmpty()) {
      lastSame = model.version();
      same++;
      return true;
    }
    difference = new Difference(model.version(), lastSame, differs.get());
    return false;
  }

  private Optional<ArchivedModel> find(ModelVersion version) throws IOException {
    if (version.equals(last)) {
      return Optional.of(lastModel);
    }
    try {
      return Optional.of(published.read(version));
    } catch (IOException e) {
      if (published.versions().contains(version)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private Optional<String> difference(GlobalModel model, ArchivedModel theirs) {
    int value = firstDifference(model.vector(), theirs.vector());
    if (value >= 0) {
      int block = model.spec().layout(blockSize, true).blockOf(value);
      return Optional.of(
          "value %s, in block %s, is the first that differs".formatted(value, block));
    }
    Optional<LearnedFeatures> features = theirs.learned();
    return features.isEmpty()
            || ModelDigest.ofFeatures(features)
                .equals(ModelDigest.ofFeatures(Optional.of(model.learned())))
        ? Optional.empty()
        : Optional.of("its values are the same, but not what is known of features");
  }

  /** Bits count: there are numbers that equal others of other bits. */
  private static int firstDifference(float[] one, float[] other) {
    int length = Math.min(one.length, other.length);
    for (int i = 0; i < length; i++) {
      if (Float.floatToRawIntBits(one[i]) != Float.floatToRawIntBits(other[i])) {
        return i;
      }
    }
    return one.length == other.length ? -1 : length;
  }

  /** Returns how many versions are the same. */
  public int same() {
    return same;
  }

  /** Returns how many versions were removed before they could be compared. */
  public int gone() {
    return gone;
  }

  public Optional<Difference> difference() {
    return Optional.ofNullable(difference);
  }
}
