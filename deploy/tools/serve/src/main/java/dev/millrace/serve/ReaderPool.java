package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
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

  private record Idle<R>(ServedModel model, R reader) {}

  private final Maker<R> maker;
  private final Queue<Idle<R>> idle = new ConcurrentLinkedQueue<>();

  ReaderPool(Maker<R> maker) {
    this.maker = maker;
  }

  /** Reads a request to a model. */
  @SuppressWarnings("ReferenceEquality") // Another version of it is another object.
  InferRequest read(ServedModel model, Reading<R> reading) throws RefusedRequestException {
    Idle<R> taken = idle.poll();
    // Each keeps its model in memory: those of older ones go, all of them.
    while (taken != null && taken.model != model) {
      taken = idle.poll();
    }
    if (taken == null) {
      taken = new Idle<>(model, maker.make(model));
    }
    try {
      return reading.read(taken.reader);
    } finally {
      // Also behind a refused request: clients send these in any number.
      idle.add(taken);
    }
  }
}
