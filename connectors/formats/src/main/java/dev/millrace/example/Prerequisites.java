package dev.millrace.example;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a format has to have before it can read a value, such as the schema that the value names. It
 * is fetched on a thread of its own, so that whoever has the value can wait without being blocked.
 *
 * <p>Thread-safe.
 */
public interface Prerequisites {

  /** The prerequisites of a format that needs nothing. */
  Prerequisites NONE = value -> Ready.NOW;

  /**
   * Has what a value needs fetched, if it isn't there.
   *
   * @param value of a record, or null
   * @return completes with nothing when the value can be read, or rejected; otherwise with a line
   *     that says why it can't be now and what to do, and is to be called again after a while.
   *     Never completes with an exception
   */
  CompletableFuture<Optional<String>> of(byte[] value);

  /**
   * Finds out whether things can be fetched at all.
   *
   * @return nothing, or a line that says why they can't be, and what to do
   */
  default Optional<String> problem(Duration limit) {
    return Optional.empty();
  }

  /** Nothing is waited for. */
  final class Ready {

    public static final CompletableFuture<Optional<String>> NOW =
        CompletableFuture.completedFuture(Optional.empty());

    private Ready() {}
  }
}
