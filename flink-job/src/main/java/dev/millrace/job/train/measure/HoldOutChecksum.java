package dev.millrace.job.train.measure;

import dev.millrace.example.Example;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

/**
 * Tells sets of examples apart, in whatever order they come: a topic's partitions may be read in
 * another order each time.
 *
 * <p>Not thread-safe.
 */
final class HoldOutChecksum {

  private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(256);

  private final MessageDigest digest;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  /** The sum of what each example is in SHA-256. */
  private BigInteger sum = BigInteger.ZERO;

  HoldOutChecksum() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  void add(Example example) throws IOException {
    bytes.reset();
    write(example.features());
    write(example.labels());
    for (String word : example.words()) {
      byte[] text = word == null ? null : word.getBytes(StandardCharsets.UTF_8);
      out.writeInt(text == null ? -1 : text.length);
      if (text != null) {
        out.write(text);
      }
    }
    if (!example.shape().columns().ids().isEmpty()) {
      example.ids().write(out, 1);
    }
    if (example.shape().structure().isSequence()) {
      out.writeInt(example.steps());
    }
    sum = sum.add(new BigInteger(1, digest.digest(bytes.toByteArray()))).mod(LIMIT);
  }

  private void write(float[] values) throws IOException {
    for (float value : values) {
      out.writeFloat(value);
    }
  }

  /** Returns it in hexadecimal, as it is after the examples so far. */
  String value() {
    return String.format(Locale.ROOT, "%064x", sum);
  }
}
