package dev.millrace.job.topology;

/** Names of the operators; each is its uid too, which never changes after a release. */
public final class Names {

  static final String SOURCE = "examples";
  static final String REPLICA = "replica";
  public static final String ROSTER = "roster";
  static final String EXCHANGE = "exchange";
  static final String FEEDBACK = "feedback";
  static final String PUBLISHER = "publisher";
  static final String PROGRESS = "progress";
  static final String METRICS = "metrics";
  static final String DEAD_LETTERS = "dead-letters";

  /** Replicas and feedback sinks of one index share a slot. */
  static final String CO_LOCATION = "replica-and-feedback";

  private Names() {}
}
