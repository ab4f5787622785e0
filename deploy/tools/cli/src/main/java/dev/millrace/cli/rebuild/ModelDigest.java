package dev.millrace.cli.rebuild;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.features.LearnedFeatures;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Tells a model from every other, by SHA-256 in hexadecimal digits.
 *
 * @param parameters of their bits, big-endian floats
 * @param updaterState likewise; of nothing where the archive has none
 * @param features of what is known of features
 */
record ModelDigest(String parameters, String updaterState, String features) {

  private static final int FLOATS = 4096;

  static ModelDigest of(ArchivedModel model) throws IOException {
    MessageDigest features = sha256();
    if (model.learned().isPresent()) {
      try (DataOutputStream out =
          new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), features))) {
        LearnedFeatures.WIRE.write(model.learned().get(), out);
      }
    }
    return new ModelDigest(
        hash(model.vector(), 0, model.parameters()),
        hash(model.vector(), model.parameters(), model.vector().length),
        HexFormat.of().formatHex(features.digest()));
  }

  private static String hash(float[] values, int from, int to) {
    MessageDigest digest = sha256();
    ByteBuffer bytes = ByteBuffer.allocate(FLOATS * Float.BYTES);
    for (int at = from; at < to; at += FLOATS) {
      bytes.clear();
      bytes.asFloatBuffer().put(values, at, Math.min(FLOATS, to - at));
      digest.update(bytes.array(), 0, Math.min(FLOATS, to - at) * Float.BYTES);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256", e);
    }
  }
}
