package dev.millrace.exchange.replica;

import java.util.Optional;

/**
 * What a replica that may not train lacks of the global model, in words for people.
 *
 * <p>Belongs to one thread.
 */
final class AwaitedModel {

  private final ReplicaParts parts;
  private final Pace pace;

  AwaitedModel(ReplicaParts parts, Pace pace) {
    this.parts = parts;
    this.pace = pace;
  }

  /** Empty while it may train. */
  Optional<String> lacks() {
    GlobalRounds blocks = parts.vector().rounds();
    OwnContributions own = parts.contributions();
    if (!pace.isKnown()) {
      return lacks("the head of the newest round");
    }
    for (int block = 0; block < blocks.count(); block++) {
      if (blocks.of(block) < 0) {
        return lacks("block %s of the global model".formatted(block));
      }
    }
    if (pace.mayTrain(own.areIncluded(), parts.progress().steps())) {
      return Optional.empty();
    }
    return lacks(
        own.awaited().standing().included() < own.newest()
            ? "the round that includes its contribution %s".formatted(own.newest())
            : "blocks of round %s, which includes its contribution %s"
                .formatted(own.awaited().standing().includedIn(), own.newest()));
  }

  private Optional<String> lacks(String what) {
    return Optional.of("Replica %s waits for %s".formatted(parts.index(), what));
  }
}
