package dev.millrace.model.dl4j;

import org.nd4j.linalg.api.ndarray.INDArray;

/** Takes the gradients of a network's inputs while a step is made. */
interface InputTaker {

  /**
   * Takes the gradient of an input, a sum over the rows in the shape of the input's array. What is
   * taken later of the same input holds in its place.
   *
   * @param input its place in {@link Network#inputs}
   * @param gradient is valid during the call only
   */
  void take(int input, INDArray gradient);
}
