package dev.millrace.cli.rebuild;

import dev.millrace.cli.console.Sha256;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.features.LearnedFeatures;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Tells a model from every other, by SHA-256 in hexadecimal digits.
 *
 * @param parameters of their bits, big-endian floats
 * @param updaterState likewise; of nothing where the archive has none
 * @param features of what is known of features
 */
public record ModelDigest(String parameters, String updaterState, String features) {

  private static final int FLOATS = 4096;

  static ModelDigest of(ArchivedModel model) throws IOException {
    return of(model.vector(), model.parameters(), model.learned());
  }

  /** Returns that of a model which is in no file. */
  public static ModelDigest of(GlobalModel model) {
    return of(model.vector(), model.spec().parameters(), Optional.of(model.learned()));
  }

  private static ModelDigest of(float[] vector, int parameters, Optional<LearnedFeatures> learned) {
    return new ModelDigest(
        hash(vector, 0, parameters), hash(vector, parameters, vector.length), ofFeatures(learned));
  }

  /** Returns that of what is known of features alone; of nothing where nothing is. */
  static String ofFeatures(Optional<LearnedFeatures> learned) {
    MessageDigest features = Sha256.digest();
    if (learned.isPresent()) {
      try (DataOutputStream out =
          new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), features))) {
        LearnedFeatures.WIRE.write(learned.get(), out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return HexFormat.of().formatHex(features.digest());
  }

  private static String hash(float[] values, int from, int to) {
    MessageDigest digest = Sha256.digest();
    ByteBuffer bytes = ByteBuffer.allocate(FLOATS * Float.BYTES);
    for (int at = from; at < to; at += FLOATS) {
      bytes.clear();
      bytes.asFloatBuffer().put(values, at, Math.min(FLOATS, to - at));
      digest.update(bytes.array(), 0, Math.min(FLOATS, to - at) * Float.BYTES);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
