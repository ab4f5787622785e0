package dev.millrace.job.score;

import dev.millrace.job.common.OperatorName;

/** Names of the operators of scoring. */
final class ScoringOperators {

  static final OperatorName SOURCE =
      new OperatorName("scoring-examples", "reads examples, once there is a model");

  static final OperatorName SCORER =
      new OperatorName("scorer", "predicts with the newest published model");

  static final OperatorName PREDICTIONS = new OperatorName("predictions", "writes predictions");

  static final OperatorName DEAD_LETTERS =
      new OperatorName("scoring-dead-letters", "keeps records that can't be scored");

  private ScoringOperators() {}
}
