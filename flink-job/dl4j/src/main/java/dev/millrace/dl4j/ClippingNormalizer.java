package dev.millrace.dl4j;

import dev.millrace.model.features.Standardization;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.factory.Nd4j;

/** Standardizes a minibatch's features as training did: the same bits. */
final class ClippingNormalizer implements DataSetPreProcessor {

  private static final long serialVersionUID = 1;

  private final Standardization standardization;

  ClippingNormalizer(Standardization standardization) {
    this.standardization = standardization;
  }

  @Override
  public void preProcess(DataSet minibatch) {
    INDArray features = minibatch.getFeatures();
    float[] values = features.dup('c').data().asFloat();
    standardization.apply(values, Math.toIntExact(features.size(0)));
    minibatch.setFeatures(Nd4j.create(values, features.shape(), 'c'));
  }
}
