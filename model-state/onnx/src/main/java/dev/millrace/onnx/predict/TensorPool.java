package dev.millrace.onnx.predict;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Tensors of batches, as many as threads that predict at the same time. A new model's batches take
 * those of the last one's.
 *
 * <p>Thread-safe.
 */
final class TensorPool implements AutoCloseable {

  private final Deque<BatchTensors> idle = new ArrayDeque<>();
  private boolean closed;

  synchronized BatchTensors take() {
    BatchTensors last = idle.pollLast();
    return last == null ? new BatchTensors() : last;
  }

  synchronized void give(BatchTensors tensors) {
    if (closed) {
      tensors.close();
    } else {
      idle.addLast(tensors);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.forEach(BatchTensors::close);
    idle.clear();
  }
}
