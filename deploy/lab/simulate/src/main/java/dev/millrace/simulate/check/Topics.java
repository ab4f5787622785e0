package dev.millrace.simulate.check;

import dev.millrace.kafka.models.SimulatedModelTopic;
import java.io.IOException;
import java.util.Optional;

/** Checks the topic of models, record by record. */
final class Topics {

  private static final String WHOLE = "the topic of models always has a whole one";

  private final Checks checks;
  private boolean had;

  Topics(Checks checks) {
    this.checks = checks;
  }

  /** A record has come to it. */
  void look(SimulatedModelTopic topic) {
    try {
      Optional<String> version = topic.version();
      checks.require(WHOLE, !had || version.isPresent(), () -> "there is none any more");
      had = version.isPresent();
    } catch (IOException e) {
      throw new Violation(WHOLE, e.getMessage(), e);
    }
  }
}
