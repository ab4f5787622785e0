package dev.millrace.model.dl4j;

import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Takes a step's predictions from its own forward pass. DL4J shows the hidden activations to its
 * listeners but not the output, so the output layer, and it alone, is run once more.
 */
final class TrainingPredictions {

  private final Layer outputLayer;
  private final InputPreProcessor preProcessor;
  private final RowArray rowMajor;
  private final LayerWorkspaceMgr workspaces = Scratch.layerWorkspaces();
  private float[] target;
  private int rows;

  /**
   * @param preProcessor null for none
   */
  TrainingPredictions(Layer outputLayer, InputPreProcessor preProcessor, RowArray rowMajor) {
    this.outputLayer = outputLayer;
    this.preProcessor = preProcessor;
    this.rowMajor = rowMajor;
  }

  /** Where the predictions of the next step go. */
  void into(float[] nextTarget, int nextRows) {
    target = nextTarget;
    rows = nextRows;
  }

  /** Applies the output layer, without dropout, so that the step's random numbers stay its own. */
  @SuppressWarnings("try") // The resource is a scope.
  void fromHidden(INDArray hidden) {
    if (hidden.isAttached()) {
      workspaces.setNoLeverageOverride(hidden.data().getParentWorkspace().getId());
    }
    try (MemoryWorkspace scratch = Scratch.open()) {
      INDArray input =
          preProcessor == null ? hidden : preProcessor.preProcess(hidden, rows, workspaces);
      rowMajor.extract(outputLayer.activate(input, false, workspaces), target, rows);
    }
  }
}
