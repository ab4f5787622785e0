package dev.millrace.dl4j.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Copies DL4J's minibatches out of ND4J's arrays. */
public final class DataSetRows {

  private static final int SEQUENCE_RANK = 3;

  private DataSetRows() {}

  /** Copies a minibatch. */
  public static MinibatchRows of(DataSet minibatch) {
    return of(
        new INDArray[] {minibatch.getFeatures()},
        new INDArray[] {minibatch.getLabels()},
        new INDArray[] {minibatch.getFeaturesMaskArray()},
        new INDArray[] {minibatch.getLabelsMaskArray()});
  }

  /** Copies a minibatch of several inputs or outputs. */
  public static MinibatchRows of(MultiDataSet minibatch) {
    return of(
        minibatch.getFeatures(),
        minibatch.getLabels(),
        minibatch.getFeaturesMaskArrays(),
        minibatch.getLabelsMaskArrays());
  }

  private static MinibatchRows of(
      INDArray[] features, INDArray[] labels, INDArray[] featureMasks, INDArray[] labelMasks) {
    List<ArrayRows> ofFeatures = Arrays.stream(features).map(DataSetRows::rows).toList();
    List<ArrayRows> ofLabels = Arrays.stream(labels).map(DataSetRows::rows).toList();
    boolean ofSteps = ofLabels.stream().anyMatch(array -> array.steps() > 0);
    return new MinibatchRows(
        ofFeatures,
        ofLabels,
        ofSteps ? masks(featureMasks, labelMasks) : masks(featureMasks),
        ofSteps ? null : ExampleWeights.of(labelMasks),
        Math.toIntExact(features[0].size(0)));
  }

  /** ND4J has of a sequence {@code [examples, values, steps]}. */
  private static ArrayRows rows(INDArray array) {
    int rows = Math.toIntExact(array.size(0));
    boolean sequence = array.rank() == SEQUENCE_RANK;
    INDArray ordered = (sequence ? array.permute(0, 2, 1) : array).castTo(DataType.FLOAT).dup('c');
    float[] values = new float[Math.toIntExact(ordered.length())];
    ordered.data().asNioFloat().get(values);
    ordered.close();
    int steps = sequence ? Math.toIntExact(array.size(2)) : 0;
    return new ArrayRows(values, values.length / rows / Math.max(1, steps), steps);
  }

  private static List<StepMasks> masks(INDArray[]... masks) {
    List<StepMasks> all = new ArrayList<>();
    for (INDArray[] some : masks) {
      for (INDArray mask : some == null ? new INDArray[0] : some) {
        if (mask != null) {
          all.add(new StepMasks(mask.dup('c').data().asFloat(), Math.toIntExact(mask.size(1))));
        }
      }
    }
    return all;
  }
}
