package dev.millrace.exchange.round;

import java.util.Locale;
import java.util.Optional;

/**
 * Notices when rounds stay partial: a round without a replica is nothing, many in a row mean that
 * somebody should look.
 *
 * <p>Not thread-safe.
 */
public final class PartialRounds {

  private static final long FIRST = 10;

  private long inARow;
  private long nextWarning = FIRST;

  /**
   * A round has been made.
   *
   * @return what to warn of; at the tenth partial round in a row, and each time that there are ten
   *     times as many
   */
  public Optional<String> made(ClosedRound round) {
    if (!round.participation().isPartial()) {
      inARow = 0;
      nextWarning = FIRST;
      return Optional.empty();
    }
    inARow++;
    if (inARow < nextWarning) {
      return Optional.empty();
    }
    nextWarning *= 10;
    return Optional.of(
        String.format(
            Locale.ROOT,
            "The last %d rounds lacked replicas; round %d has %d, with %.0f %% of the usual"
                + " examples. The others' contributions join later rounds. Look for a TaskManager"
                + " that is slow or was paused, or for replicas without records",
            inARow,
            round.round(),
            round.members().size(),
            100 * round.participation().share()));
  }
}
