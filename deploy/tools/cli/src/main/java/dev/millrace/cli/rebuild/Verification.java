package dev.millrace.cli.rebuild;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Compares versions that are made again with those that were published, up to the first that
 * differs.
 *
 * <p>Not thread-safe.
 */
public final class Verification {

  /** Compares with nothing. */
  static final Verification NONE = new Verification(null, Set.of(), 1);

  /**
   * Where a model parts from the published one.
   *
   * @param lastSame the newest version before that is the same; null if none was compared
   * @param value the first that differs, counted from 0 in [parameters | updater state]
   * @param block that it is in
   */
  public record Difference(ModelVersion version, ModelVersion lastSame, int value, int block) {

    @Override
    public String toString() {
      return "Version %s isn't what was published: value %s, in block %s, is the first that differs. %s"
          .formatted(
              version,
              value,
              block,
              lastSame == null
                  ? "No version before it is there to compare with"
                  : "Version %s is still the same".formatted(lastSame));
    }
  }

  private final PublishedModels published;
  private final Set<ModelVersion> versions;
  private final int blockSize;
  private ModelVersion lastSame;
  private int same;
  private Difference difference;

  private Verification(PublishedModels published, Set<ModelVersion> versions, int blockSize) {
    this.published = published;
    this.versions = versions;
    this.blockSize = blockSize;
  }

  /**
   * Compares with all that is published now.
   *
   * @param last must be among these
   * @param blockSize values of a block
   * @throws IOException if it isn't
   */
  public static Verification of(PublishedModels published, ModelVersion last, int blockSize)
      throws IOException {
    Set<ModelVersion> versions = published.versions();
    if (!versions.contains(last)) {
      // Says where it looked.
      ArchivedModel unused = published.read(last);
    }
    return new Verification(published, versions, blockSize);
  }

  /** Whether a version is to be compared. */
  public boolean isOf(ModelVersion version) {
    return versions.contains(version);
  }

  /** Compares a model. Returns whether it is the same. */
  public boolean isSame(GlobalModel model) throws IOException {
    float[] theirs = published.read(model.version()).vector();
    int value = firstDifference(model.vector(), theirs);
    if (value < 0) {
      lastSame = model.version();
      same++;
      return true;
    }
    int block = model.spec().layout(blockSize, true).blockOf(value);
    difference = new Difference(model.version(), lastSame, value, block);
    return false;
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

  public Optional<Difference> difference() {
    return Optional.ofNullable(difference);
  }
}
