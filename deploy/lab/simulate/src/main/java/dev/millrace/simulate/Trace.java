package dev.millrace.simulate;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/** Everything that happens in a run, as a SHA-256; and in words, where somebody listens. */
final class Trace {

  private final MessageDigest digest;
  private final ByteBuffer numbers = ByteBuffer.allocate(3 * Long.BYTES);
  private final Consumer<String> wordsOrNull;

  Trace(Consumer<String> wordsOrNull) {
    this.wordsOrNull = wordsOrNull;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** Something happens at a place. */
  void add(long micros, String place, int index, String what, long detail, byte[] bytesOrNull) {
    numbers.clear();
    numbers.putLong(micros);
    numbers.putLong(((long) place.hashCode() << 32) ^ ((long) index << 24) ^ what.hashCode());
    numbers.putLong(detail);
    digest.update(numbers.array());
    if (bytesOrNull != null) {
      digest.update(bytesOrNull);
    }
    if (wordsOrNull != null) {
      wordsOrNull.accept(
          String.format(
              Locale.ROOT,
              "%12.6f %s %s: %s %s%s",
              micros / 1e6,
              place,
              index,
              what,
              detail,
              bytesOrNull == null ? "" : words(bytesOrNull)));
    }
  }

  private static String words(byte[] bytes) {
    return String.format(Locale.ROOT, ", %s bytes, %08x", bytes.length, Arrays.hashCode(bytes));
  }

  /** Returns the hash; nothing is added afterwards. */
  byte[] hash() {
    return digest.digest();
  }
}
