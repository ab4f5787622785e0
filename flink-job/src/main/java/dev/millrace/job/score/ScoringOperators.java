package dev.millrace.job.score;

import dev.millrace.job.common.OperatorName;

/** Names of the operators of scoring. */
public final class ScoringOperators {

  public static final OperatorName SOURCE =
      new OperatorName("scoring-examples", "reads examples, once there is a model");

  public static final OperatorName SCORER =
      new OperatorName("scorer", "predicts with the newest published model");

  public static final OperatorName PREDICTIONS =
      new OperatorName("predictions", "writes predictions");

  public static final OperatorName DEAD_LETTERS =
      new OperatorName("scoring-dead-letters", "keeps records that can't be scored");

  private ScoringOperators() {}
}
