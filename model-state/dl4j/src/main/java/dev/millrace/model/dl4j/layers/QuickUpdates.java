package dev.millrace.model.dl4j.layers;

import java.util.List;
import org.deeplearning4j.nn.updater.UpdaterBlock;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.learning.regularization.Regularization;

/**
 * An updater's block that looks for penalties first: DL4J makes views of each parameter and its
 * gradient twice a step, whether there are any or not.
 */
public final class QuickUpdates extends UpdaterBlock {

  private QuickUpdates(UpdaterBlock block) {
    super(
        block.getParamOffsetStart(),
        block.getParamOffsetEnd(),
        block.getUpdaterViewOffsetStart(),
        block.getUpdaterViewOffsetEnd(),
        block.getLayersAndVariablesInBlock());
    setUpdaterView(block.getUpdaterView());
    setGradientView(block.getGradientView());
    setUpdaterViewRequiresInitialization(block.isUpdaterViewRequiresInitialization());
    setGradientUpdater(block.getGradientUpdater());
  }

  /** Replaces an updater's blocks. They work on the same arrays. */
  public static void in(List<UpdaterBlock> blocks) {
    blocks.replaceAll(QuickUpdates::new);
  }

  @Override
  protected void applyRegularizationAllVariables(
      Regularization.ApplyStep step,
      int iteration,
      int epoch,
      boolean external,
      INDArray gradients,
      INDArray parameters) {
    if (isPenalized()) {
      super.applyRegularizationAllVariables(
          step, iteration, epoch, external, gradients, parameters);
    }
  }

  private boolean isPenalized() {
    for (ParamState parameter : getLayersAndVariablesInBlock()) {
      List<Regularization> penalties =
          parameter.getLayer().getConfig().getRegularizationByParam(parameter.getParamName());
      if (penalties != null && !penalties.isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
