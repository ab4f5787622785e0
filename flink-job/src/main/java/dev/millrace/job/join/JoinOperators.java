package dev.millrace.job.join;

import dev.millrace.job.common.OperatorName;

/** Names of the operators of a join. */
public final class JoinOperators {

  public static final OperatorName FEATURES = new OperatorName("features", "reads features");

  public static final OperatorName LABELS = new OperatorName("labels", "reads labels");

  public static final OperatorName SORTED_FEATURES =
      new OperatorName("sorted-features", "puts features aside that can't be joined");

  public static final OperatorName SORTED_LABELS =
      new OperatorName("sorted-labels", "puts labels aside that can't be joined");

  public static final OperatorName JOIN =
      new OperatorName("join", "waits for both sides of a key, no longer than the bound");

  public static final OperatorName JOINED =
      new OperatorName("joined", "writes features with labels");

  public static final OperatorName DEAD_LETTERS =
      new OperatorName("dead-letters", "keeps records that aren't joined, with the reason");

  private JoinOperators() {}
}
