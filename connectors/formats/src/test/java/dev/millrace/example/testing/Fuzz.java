package dev.millrace.example.testing;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.testing.Seeds;
import java.util.Random;

/**
 * Runs readers on what nobody would write, on a stack as small as a task may have. Whatever they
 * throw but a refusal fails, with the seed that makes it again.
 */
public final class Fuzz {

  private static final long STACK = 512 << 10;

  /** Why the reader refuses what it was given, and nothing else, is thrown. */
  @FunctionalInterface
  public interface Attempt {

    /** Gives the reader something random. */
    void run(Random random) throws InvalidExampleException;
  }

  private Fuzz() {}

  /**
   * Runs attempts, each with a seed of its own.
   *
   * @return how many were not refused
   */
  public static int run(int attempts, Attempt attempt) throws InterruptedException {
    long first = Seeds.next();
    Throwable[] failure = new Throwable[1];
    int[] accepted = new int[1];
    Thread thread =
        new Thread(
            null,
            () -> {
              for (int i = 0; i < attempts && failure[0] == null; i++) {
                try {
                  attempt.run(new Random(first + i));
                  accepted[0]++;
                } catch (InvalidExampleException | IllegalArgumentException e) {
                  // Refused.
                } catch (RuntimeException | Error e) {
                  failure[0] = new AssertionError("seed %s".formatted(first + i), e);
                }
              }
            },
            "fuzz",
            STACK);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw (AssertionError) failure[0];
    }
    return accepted[0];
  }

  /** Damages bytes, or repeats a part of them so often that it is deep, or long. */
  public static byte[] damaged(byte[] value, Random random) {
    return random.nextInt(20) == 0 ? repeated(value, random) : Mutation.of(value, random);
  }

  private static byte[] repeated(byte[] value, Random random) {
    int from = random.nextInt(value.length);
    int length = 1 + random.nextInt(Math.min(8, value.length - from));
    int times = 1 << random.nextInt(14);
    byte[] result = new byte[value.length + length * times];
    System.arraycopy(value, 0, result, 0, from);
    for (int i = 0; i < times; i++) {
      System.arraycopy(value, from, result, from + i * length, length);
    }
    System.arraycopy(value, from, result, from + length * times, value.length - from);
    return result;
  }

  /** Bytes of which most are small, as lengths, counts and choices are. */
  public static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(1 << random.nextInt(12))];
    int most = random.nextBoolean() ? 4 : 256;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(most);
    }
    return bytes;
  }
}
