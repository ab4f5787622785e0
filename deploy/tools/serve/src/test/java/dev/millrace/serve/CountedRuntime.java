package dev.millrace.serve;

import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelRuntime;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.RuntimeModel;
import dev.millrace.model.io.InvalidModelException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Predicts the last parameter for all rows, and counts what is open. It refuses models whose last
 * parameter can be divided by a number.
 */
final class CountedRuntime implements ModelRuntime {

  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();

  private final int refused;

  /**
   * @param refused models of this number and its multiples
   */
  CountedRuntime(int refused) {
    this.refused = refused;
  }

  @Override
  public String name() {
    return "The counted runtime";
  }

  @Override
  public RuntimeModel open(ModelSpec spec, float[] parameters, Supplier<ModelReplica> engine) {
    float last = parameters[parameters.length - 1];
    if (last % refused == 0) {
      throw new InvalidModelException("it predicts something else");
    }
    engine.get().close();
    opened.incrementAndGet();
    return new Counted(last);
  }

  private final class Counted implements RuntimeModel {

    private final float last;
    private final AtomicInteger users = new AtomicInteger();
    private volatile boolean isClosed;

    Counted(float last) {
      this.last = last;
    }

    @Override
    public Agreement agreement() {
      return new Agreement(1, 0, 0);
    }

    @Override
    public void predict(float[] features, int[] stepsOrNull, int rows, float[] predictions) {
      users.incrementAndGet();
      if (isClosed) {
        throw new IllegalStateException("It is closed already");
      }
      Arrays.fill(predictions, last);
      for (int i = 0; i < 1000; i++) {
        Thread.onSpinWait();
      }
      users.decrementAndGet();
    }

    @Override
    public void close() {
      if (isClosed || users.get() > 0) {
        throw new IllegalStateException("Closed twice, or in use");
      }
      isClosed = true;
      closed.incrementAndGet();
    }
  }

  @Override
  public void close() {}
}
