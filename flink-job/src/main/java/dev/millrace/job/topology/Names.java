package dev.millrace.job.topology;

import java.util.Map;

/** Names of the operators; each is its uid too, which never changes after a release. */
public final class Names {

  static final String SOURCE = "examples";
  static final String REPLICA = "replica";
  public static final String ROSTER = "roster";
  public static final String EXCHANGE = "exchange";
  static final String FEEDBACK = "feedback";
  static final String PUBLISHER = "publisher";
  static final String PROGRESS = "progress";
  static final String METRICS = "metrics";
  static final String DEAD_LETTERS = "dead-letters";

  /** Replicas and feedback sinks of one index share a slot. */
  static final String CO_LOCATION = "replica-and-feedback";

  /** What Flink's web page says of each. */
  private static final Map<String, String> DESCRIPTIONS =
      Map.of(
          SOURCE, "reads examples, while the replica can take any",
          REPLICA, "fits minibatches, contributes what it learned",
          ROSTER, "decides which contributions make up a round",
          EXCHANGE, "combines contributions into the global model",
          FEEDBACK, "hands the global model to its replica",
          PUBLISHER, "measures and writes models",
          PROGRESS, "tells how far training has come",
          DEAD_LETTERS, "keeps rejected records");

  static String description(String name) {
    return name + ": " + DESCRIPTIONS.getOrDefault(name, "keeps metric records");
  }

  private Names() {}
}
