package dev.millrace.example.testing;

import java.util.Arrays;
import java.util.Random;

/** Damages records a little, as bad links and bad programs do. */
public final class Mutation {

  /** Characters that mean something to one of the formats. */
  private static final String SYNTAX = "{}[],:\"\\ \t\n-+.eE019NI";

  private static final int MOST_CHANGES = 3;
  private static final int LONGEST_GAP = 8;

  private Mutation() {}

  /** Flips, cuts, doubles or overwrites a few bytes; the value itself stays as it is. */
  public static byte[] of(byte[] value, Random random) {
    byte[] mutated = value;
    for (int changes = 1 + random.nextInt(MOST_CHANGES); changes > 0; changes--) {
      int at = random.nextInt(mutated.length + 1);
      int gap = Math.min(random.nextInt(LONGEST_GAP + 1), mutated.length - at);
      mutated =
          switch (random.nextInt(5)) {
            case 0 -> with(mutated, at, (byte) random.nextInt());
            case 1 -> with(mutated, at, (byte) SYNTAX.charAt(random.nextInt(SYNTAX.length())));
            case 2 -> Arrays.copyOf(mutated, at);
            case 3 -> joined(mutated, at, at + gap);
            default -> joined(mutated, at + gap, at);
          };
    }
    return mutated;
  }

  private static byte[] with(byte[] value, int at, byte b) {
    byte[] changed = value.clone();
    if (at < changed.length) {
      changed[at] = b;
    }
    return changed;
  }

  /** The bytes before {@code end} and then those from {@code start}. */
  private static byte[] joined(byte[] value, int end, int start) {
    byte[] result = Arrays.copyOf(value, end + value.length - start);
    System.arraycopy(value, start, result, end, value.length - start);
    return result;
  }
}
