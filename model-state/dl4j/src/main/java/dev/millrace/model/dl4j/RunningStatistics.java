package dev.millrace.model.dl4j;

import dev.millrace.model.shape.IndexRange;
import java.util.List;
import java.util.Set;
import org.deeplearning4j.nn.layers.normalization.BatchNormalization;
import org.deeplearning4j.nn.params.BatchNormalizationParamInitializer;
import org.deeplearning4j.nn.updater.UpdaterBlock;

/**
 * Finds what batch normalization keeps of the batches that it has seen (Ioffe and Szegedy 2015).
 * DL4J has it among the parameters.
 */
final class RunningStatistics {

  private static final Set<String> VARIANCE = Set.of(BatchNormalizationParamInitializer.GLOBAL_VAR);

  private static final Set<String> ALL =
      Set.of(
          BatchNormalizationParamInitializer.GLOBAL_MEAN,
          BatchNormalizationParamInitializer.GLOBAL_VAR,
          BatchNormalizationParamInitializer.GLOBAL_LOG_STD);

  private RunningStatistics() {}

  /** Ranges of the parameters. */
  static List<IndexRange> of(List<UpdaterBlock> blocks) {
    return named(ALL, blocks);
  }

  /** Returns the ranges that no value below zero makes sense for. */
  static List<IndexRange> variances(List<UpdaterBlock> blocks) {
    return named(VARIANCE, blocks);
  }

  private static List<IndexRange> named(Set<String> names, List<UpdaterBlock> blocks) {
    return blocks.stream()
        .flatMap(block -> block.getLayersAndVariablesInBlock().stream())
        .filter(parameter -> parameter.getLayer() instanceof BatchNormalization)
        .filter(parameter -> names.contains(parameter.getParamName()))
        .map(p -> new IndexRange(p.getParamOffsetStart(), p.getParamOffsetEnd()))
        .toList();
  }
}
