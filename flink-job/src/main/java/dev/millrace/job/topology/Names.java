package dev.millrace.job.topology;

import java.util.Map;

/** Names of the operators; each is its uid too, which never changes after a release. */
public final class Names {

  static final String SOURCE = "examples";
  public static final String REPLICA = "replica";
  public static final String COORDINATOR = "coordinator";
  public static final String EXCHANGE = "exchange";
  static final String FEEDBACK = "feedback";
  static final String PUBLISHER = "publisher";
  static final String PROGRESS = "progress";
  static final String TIMELINES = "timelines";
  static final String METRICS = "metrics";
  static final String DEAD_LETTERS = "dead-letters";
  static final String SCORING_SOURCE = "scoring-examples";
  static final String SCORER = "scorer";
  static final String PREDICTIONS = "predictions";
  static final String SCORING_DEAD_LETTERS = "scoring-dead-letters";

  /** Replicas and feedback sinks of one index share a slot. */
  static final String CO_LOCATION = "replica-and-feedback";

  /** The text behind each name on Flink's web page. */
  private static final Map<String, String> DESCRIPTIONS =
      Map.ofEntries(
          Map.entry(SOURCE, "reads examples, while the replica can take any"),
          Map.entry(REPLICA, "fits minibatches, contributes what it learned"),
          Map.entry(COORDINATOR, "decides which contributions make up a round"),
          Map.entry(EXCHANGE, "combines contributions into the global model"),
          Map.entry(FEEDBACK, "hands the global model to its replica"),
          Map.entry(PUBLISHER, "measures and writes models"),
          Map.entry(PROGRESS, "tells how far training has come"),
          Map.entry(TIMELINES, "tells where the time of each round went"),
          Map.entry(DEAD_LETTERS, "keeps rejected records"),
          Map.entry(SCORING_SOURCE, "reads examples, once there is a model"),
          Map.entry(SCORER, "predicts with the newest published model"),
          Map.entry(PREDICTIONS, "writes predictions"),
          Map.entry(SCORING_DEAD_LETTERS, "keeps records that can't be scored"));

  static String description(String name) {
    return name + ": " + DESCRIPTIONS.getOrDefault(name, "keeps metric records");
  }

  private Names() {}
}
