package dev.millrace.onnx.predict;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.RuntimeModel;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;

/** One session, which all threads share. */
final class OnnxModel implements RuntimeModel {

  private final OrtSession session;
  private final ExampleShape shape;
  private final TensorPool pool;

  /** Null until it is compared. */
  private Agreement agreement;

  OnnxModel(OrtSession session, ExampleShape shape, TensorPool pool) {
    this.session = session;
    this.shape = shape;
    this.pool = pool;
  }

  /** Tells how it has compared, before anybody else has it. */
  void compared(Agreement result) {
    agreement = result;
  }

  @Override
  public Agreement agreement() {
    return agreement;
  }

  @Override
  public void predict(float[] features, int[] stepsOrNull, int rows, float[] predictions) {
    BatchTensors tensors = pool.take();
    try {
      if (!shape.structure().isSequence()) {
        tensors.run(session, shape, features, 0, rows, 1, predictions);
        return;
      }
      if (shape.structure().labelPerStep()) {
        Arrays.fill(predictions, 0, rows * shape.labels(), 0f);
      }
      for (int from = 0; from < rows; ) {
        int steps = stepsOrNull[from];
        int to = from + 1;
        while (to < rows && stepsOrNull[to] == steps) {
          to++;
        }
        tensors.run(session, shape, features, from, to - from, steps, predictions);
        from = to;
      }
    } catch (OrtException e) {
      throw new IllegalStateException("ONNX Runtime can't predict: " + e.getMessage(), e);
    } finally {
      pool.give(tensors);
    }
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("ONNX Runtime can't close a model: " + e.getMessage(), e);
    }
  }
}
