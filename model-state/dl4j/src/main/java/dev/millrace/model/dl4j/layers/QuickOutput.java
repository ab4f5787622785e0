package dev.millrace.model.dl4j.layers;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.layers.OutputLayer;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.linalg.api.buffer.DataType;

/** An output layer without scores: DL4J makes another forward pass in each step for one. */
final class QuickOutput extends OutputLayer {

  private static final long serialVersionUID = 1;

  QuickOutput(NeuralNetConfiguration conf) {
    super(conf, DataType.FLOAT);
  }

  /** Returns 0: nobody looks at the score of a replica's step. */
  @Override
  public double computeScore(
      double regularization, boolean training, LayerWorkspaceMgr workspaces) {
    return 0;
  }
}
