package dev.millrace.model.dl4j;

import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The way of examples' values into the arrays that a network takes: of sequences [examples, values,
 * steps], as long as the longest of the batch, with zeros after each one's end.
 *
 * <p>Native memory is used again and again. Belongs to the network's thread.
 */
final class ArrayFeed implements AutoCloseable {

  private static final float[] NONE = {};

  private final ArrayPart part;
  private final int example;
  private final int step;
  private final boolean whole;
  private final RowArray rows;
  private final ReusedArray sequences = new ReusedArray();
  private float[] scratch = NONE;

  /**
   * @param example values of an example
   * @param step values of each of its steps; as many as of an example where it is no sequence
   */
  ArrayFeed(ArrayPart part, int example, int step) {
    this.part = part;
    this.example = example;
    this.step = step;
    this.whole = part.values().length() == example;
    this.rows = new RowArray(part.rowShape());
  }

  boolean isSequence() {
    return part.isSequence();
  }

  /**
   * Copies a batch in.
   *
   * @param source rows of examples
   * @return an array that is valid until the next call
   */
  INDArray fill(float[] source, BatchRows batch) {
    if (part.isSequence()) {
      return fillSteps(source, batch);
    }
    return rows.fill(whole ? source : gather(source, batch.count()), batch.count());
  }

  private float[] gather(float[] source, int count) {
    int width = part.values().length();
    float[] gathered = room(count * width);
    for (int row = 0; row < count; row++) {
      System.arraycopy(source, row * example + part.values().from(), gathered, row * width, width);
    }
    return gathered;
  }

  private INDArray fillSteps(float[] source, BatchRows batch) {
    int width = part.values().length();
    int longest = batch.longest();
    float[] turned = room(batch.count() * width * longest);
    for (int row = 0, to = 0; row < batch.count(); row++) {
      int steps = batch.steps(row);
      int first = row * example + part.values().from();
      for (int value = 0; value < width; value++) {
        for (int time = 0; time < longest; time++) {
          turned[to++] = time < steps ? source[first + time * step + value] : 0;
        }
      }
    }
    return sequences.fill(turned, batch.count(), width, longest);
  }

  private float[] room(int length) {
    if (scratch.length < length) {
      scratch = new float[length];
    }
    return scratch;
  }

  @Override
  public void close() {
    rows.close();
    sequences.close();
  }
}
