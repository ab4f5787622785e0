package dev.millrace.job.follow;

import dev.millrace.model.ModelMembers;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Says which published models are read at all. Who may publish doesn't choose the engine that reads
 * them: archives of some, such as TorchScript's, are code.
 *
 * @param engine of the models, or of the members where a model is made of several
 * @param option that names the engine, for messages
 * @param keys one of which has signed each model; none where nobody has to
 */
public record ModelTrust(String engine, String option, TrustedKeys keys) implements Serializable {

  public ModelTrust {
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(option, "option");
    Objects.requireNonNull(keys, "keys");
  }

  /**
   * Checks a model before anything of it reaches an engine.
   *
   * @throws InvalidModelException if it isn't to be read
   * @throws IOException if its archive can't be
   */
  void require(PublishedSnapshot snapshot) throws IOException {
    keys.require(snapshot.description(), snapshot.archive());
    String own = snapshot.description().engine();
    Optional<ModelMembers> members = ModelMembers.of(own);
    Set<String> engines =
        members.isPresent() ? members.get().engines(snapshot.archive()) : Set.of(own);
    for (String other : engines) {
      if (!other.equals(engine)) {
        throw new InvalidModelException(
            ("it is of the engine %s, and only models of %s are read here; if those who may publish"
                    + " may run code here, set %s to %1$s")
                .formatted(other, engine, option));
      }
    }
  }
}
