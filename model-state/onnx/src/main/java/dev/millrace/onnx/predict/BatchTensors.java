package dev.millrace.onnx.predict;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.model.shape.ExampleShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Map;

/**
 * Memory outside of the heap that ONNX Runtime reads features from and writes predictions to, and
 * tensors of it. They are kept for the next batch, of whichever model, if it has as many rows.
 *
 * <p>Belongs to one thread at a time.
 */
final class BatchTensors implements AutoCloseable {

  private FloatBuffer features = memory(0);
  private FloatBuffer predictions = memory(0);
  private Map<String, OnnxTensor> inputs = Map.of();
  private Map<String, OnnxTensor> outputs = Map.of();

  /** What the tensors are for; null where there are none. */
  private ExampleShape shape;

  private int rows;
  private int steps;

  private static FloatBuffer memory(int floats) {
    return ByteBuffer.allocateDirect(Math.multiplyExact(floats, Float.BYTES))
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }

  /**
   * Predicts for some rows that have all the same steps.
   *
   * @param from the first row
   * @param newSteps of each row; 1 where examples are no sequences
   */
  void run(
      OrtSession session,
      ExampleShape newShape,
      float[] allFeatures,
      int from,
      int newRows,
      int newSteps,
      float[] allPredictions)
      throws OrtException {
    prepare(newShape, newRows, newSteps);
    int width = steps * shape.width();
    for (int row = 0; row < rows; row += step(width == shape.features())) {
      int length = width == shape.features() ? rows * width : width;
      features.put(row * width, allFeatures, (from + row) * shape.features(), length);
    }
    session.run(inputs, outputs).close();
    int values = (shape.structure().labelPerStep() ? steps : 1) * shape.outputs();
    for (int row = 0; row < rows; row += step(values == shape.labels())) {
      int length = values == shape.labels() ? rows * values : values;
      predictions.get(row * values, allPredictions, (from + row) * shape.labels(), length);
    }
  }

  /** All rows are one piece where nothing is between them. */
  private int step(boolean all) {
    return all ? rows : 1;
  }

  private void prepare(ExampleShape newShape, int newRows, int newSteps) throws OrtException {
    if (newShape.equals(shape) && newRows == rows && newSteps == steps) {
      return;
    }
    close();
    boolean sequence = newShape.structure().isSequence();
    int outputSteps = newShape.structure().labelPerStep() ? newSteps : 1;
    int taken = Math.multiplyExact(newRows * newSteps, newShape.width());
    int given = Math.multiplyExact(newRows * outputSteps, newShape.outputs());
    features = features.capacity() < taken ? memory(taken) : features;
    predictions = predictions.capacity() < given ? memory(given) : predictions;
    inputs =
        Map.of(
            PredictionGraph.FEATURES,
            tensor(
                features.limit(taken),
                sequence
                    ? new long[] {newRows, newSteps, newShape.width()}
                    : new long[] {newRows, newShape.width()}));
    outputs =
        Map.of(
            PredictionGraph.PREDICTIONS,
            tensor(
                predictions.limit(given),
                newShape.structure().labelPerStep()
                    ? new long[] {newRows, newSteps, newShape.outputs()}
                    : new long[] {newRows, newShape.outputs()}));
    shape = newShape;
    rows = newRows;
    steps = newSteps;
  }

  /** The tensor sees the buffer's own memory. */
  private static OnnxTensor tensor(FloatBuffer buffer, long[] dimensions) throws OrtException {
    return OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), buffer, dimensions);
  }

  /** Closes the tensors; the next batch makes new ones. */
  @Override
  public void close() {
    shape = null;
    inputs.values().forEach(OnnxTensor::close);
    inputs = Map.of();
    outputs.values().forEach(OnnxTensor::close);
    outputs = Map.of();
  }
}
