package dev.millrace.model.dl4j;

import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Which steps of a batch's sequences are there: 1 up to each one's end, 0 behind it.
 *
 * <p>Native memory is used again and again. Belongs to the network's thread.
 */
final class StepMask implements AutoCloseable {

  private final ReusedArray array = new ReusedArray();
  private float[] mask = {};

  /** An array [examples, steps], valid until the next call. */
  INDArray fill(BatchRows batch) {
    int longest = batch.longest();
    if (mask.length < batch.count() * longest) {
      mask = new float[batch.count() * longest];
    }
    for (int row = 0, to = 0; row < batch.count(); row++) {
      int steps = batch.steps(row);
      for (int time = 0; time < longest; time++) {
        mask[to++] = time < steps ? 1 : 0;
      }
    }
    return array.fill(mask, batch.count(), longest);
  }

  @Override
  public void close() {
    array.close();
  }
}
