package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.run.ScoreOnly;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;

/** Counts rounds. */
final class RoundCounter extends BaseTrainingListener implements ScoreOnly {

  private long rounds;

  @Override
  public void iterationDone(Model network, int iteration, int epoch) {
    rounds++;
  }

  long rounds() {
    return rounds;
  }
}
