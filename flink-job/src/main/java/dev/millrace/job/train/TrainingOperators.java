package dev.millrace.job.train;

import dev.millrace.exchange.savepoint.SavedOperators;
import dev.millrace.job.common.OperatorName;
import dev.millrace.job.train.publish.PublisherOperator;

/** Names of the operators of training. */
public final class TrainingOperators {

  public static final OperatorName SOURCE =
      new OperatorName("examples", "reads examples, while the replica can take any");

  static final OperatorName PARKED =
      new OperatorName("parked", "keeps records until the replica can take any");

  public static final OperatorName REPLICA =
      new OperatorName("replica", "fits minibatches, contributes what it learned");

  public static final OperatorName COORDINATOR =
      new OperatorName("coordinator", "decides which contributions make up a round");

  public static final OperatorName GATHERER =
      new OperatorName("gatherer", "combines the contributions of its process");

  public static final OperatorName EXCHANGE =
      new OperatorName("exchange", "combines contributions into the global model");

  static final OperatorName FEEDBACK =
      new OperatorName("feedback", "hands the global model to its replica");

  public static final OperatorName ROWS =
      new OperatorName("rows", "keeps the rows of embedding tables");

  public static final OperatorName ROW_FILES =
      new OperatorName("row-files", "publishes rows in a directory with checkpoints");

  public static final OperatorName PUBLISHER =
      new OperatorName("publisher", "measures and writes models");

  static final OperatorName LAYERS =
      new OperatorName("layers", "reports what the network's layers are like");

  static final OperatorName PROGRESS =
      new OperatorName("progress", "reports how far training has come");

  static final OperatorName CONFUSION =
      new OperatorName("confusion", "reports which classes are taken for which");

  static final OperatorName REPLICA_REPORTS =
      new OperatorName("replica-reports", "reports what replicas learn and their processes use");

  static final OperatorName EVENTS = new OperatorName("events", "reports starts and checkpoints");

  static final OperatorName TIMELINES =
      new OperatorName("timelines", "reports where the time of each round went");

  static final OperatorName REJECTIONS =
      new OperatorName("rejections", "reports why records weren't learned");

  public static final OperatorName DEAD_LETTERS =
      new OperatorName("dead-letters", "keeps rejected records");

  public static final OperatorName OUTPUTS =
      new OperatorName("outputs", "keeps rejected records and metric records");

  public static final OperatorName WRITTEN =
      new OperatorName("written", "writes what parts publish in topics");

  /** Replicas, feedback sinks and gatherers of one index share a slot. */
  static final OperatorName CO_LOCATION =
      new OperatorName("replica-and-feedback", "those that share a slot");

  private TrainingOperators() {}

  /** Returns the names of those that keep something of the model. */
  public static SavedOperators saved() {
    return new SavedOperators(
        COORDINATOR.uid(),
        EXCHANGE.uid(),
        REPLICA.uid(),
        GATHERER.uid(),
        PUBLISHER.uid(),
        PublisherOperator.LASTING_STATES);
  }

  /** A sink of metric records, by a name of its own. */
  public static OperatorName metrics(String sink) {
    return new OperatorName("metrics-" + sink, "keeps metric records");
  }
}
