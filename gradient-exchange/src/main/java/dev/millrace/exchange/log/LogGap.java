package dev.millrace.exchange.log;

import dev.millrace.exchange.log.LogEntry.Round;
import java.io.Serializable;
import java.util.Optional;

/**
 * Notices the first round whose entry doesn't tell what its replicas did. Otherwise nobody hears of
 * it before a model is to be made again, which may be months later.
 *
 * <p>Not thread-safe.
 */
public final class LogGap implements Serializable {

  private static final long serialVersionUID = 1L;

  private boolean told;

  /**
   * Looks at the next round.
   *
   * @return what to warn of, once
   */
  public Optional<String> look(Round round) {
    if (told || !round.isTooLong()) {
      return Optional.empty();
    }
    told = true;
    return Optional.of(
        ("The training log doesn't tell what replicas did for version %s: it was too much to be written"
                + " down. Either %s. From the start of the job no later model can be made again, and"
                + " no record be forgotten in it. Stop the job with a savepoint, go on from that and"
                + " keep it: rebuild and forget can begin at it, by --from")
            .formatted(round.version(), ReplicaLog.CAUSES));
  }
}
