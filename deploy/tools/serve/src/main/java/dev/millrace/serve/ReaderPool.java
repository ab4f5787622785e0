package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Readers for requests to the newest model. A reader keeps scratch space, so each is of one request
 * at a time.
 *
 * <p>Thread-safe.
 */
final class ReaderPool<R> {

  /** Makes a reader for a model. */
  interface Maker<R> {

    R make(ServedModel model) throws RefusedRequestException;
  }

  /** Reads a request. */
  interface Reading<R> {

    InferRequest read(R reader) throws RefusedRequestException;
  }

  /** Weak: it may be idle for long, and the model is in memory while it is served. */
  private record Idle<R>(WeakReference<ServedModel> model, R reader) {}

  private final Maker<R> maker;
  private final Queue<Idle<R>> idle = new ConcurrentLinkedQueue<>();

  ReaderPool(Maker<R> maker) {
    this.maker = maker;
  }

  /** Reads a request to a model. */
  @SuppressWarnings("ReferenceEquality") // Another version of it is another object.
  InferRequest read(ServedModel model, Reading<R> reading) throws RefusedRequestException {
    Idle<R> taken = idle.poll();
    while (taken != null && taken.model.get() != model) {
      taken = idle.poll();
    }
    if (taken == null) {
      taken = new Idle<>(new WeakReference<>(model), maker.make(model));
    }
    try {
      return reading.read(taken.reader);
    } finally {
      // Also behind a refused request: clients send these in any number.
      idle.add(taken);
    }
  }
}
