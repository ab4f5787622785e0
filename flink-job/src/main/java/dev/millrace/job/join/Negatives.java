package dev.millrace.job.join;

import java.io.Serializable;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Which features without a label are taken as negative ones. The key alone decides: the same ones
 * are taken whenever and wherever the job runs.
 *
 * @param label the negative class, as JSON
 * @param share of the features that are taken: those whose key's SHA-256, its first 8 bytes read as
 *     a fraction of 2^64, is below it
 */
public record Negatives(String label, double share) implements Serializable {

  private static final double RANGE = Math.scalb(1.0, Long.SIZE);

  public Negatives {
    Objects.requireNonNull(label, "label");
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("A share above 0 and at most 1, not " + share);
    }
  }

  boolean takes(byte[] key) {
    return share == 1 || fraction(key) < share;
  }

  /** Returns how much one that is taken counts: it stands for this many. */
  double weight() {
    return 1 / share;
  }

  private static double fraction(byte[] key) {
    byte[] hash = sha256().digest(key);
    return new BigInteger(1, Arrays.copyOf(hash, Long.BYTES)).doubleValue() / RANGE;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
