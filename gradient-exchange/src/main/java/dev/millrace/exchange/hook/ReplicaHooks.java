package dev.millrace.exchange.hook;

import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import java.util.List;
import java.util.function.Supplier;

/** Tells all hooks of one replica what happens, one after another. */
public final class ReplicaHooks {

  /** Tells nobody. */
  public static final ReplicaHooks NONE = new ReplicaHooks(List.of());

  private final List<ReplicaHook> hooks;

  /** {@code hooks} in the order in which they are told. */
  public ReplicaHooks(List<ReplicaHook> hooks) {
    this.hooks = List.copyOf(hooks);
  }

  /** Returns each of them. */
  public List<ReplicaHook> all() {
    return hooks;
  }

  /** As {@link ReplicaHook#begin}. */
  public void begin(float[] vector) {
    hooks.forEach(hook -> hook.begin(vector));
  }

  /** As {@link ReplicaHook#accept}. */
  public void accept(RoundHead head) {
    hooks.forEach(hook -> hook.accept(head));
  }

  /** As {@link ReplicaHook#beforeStep}. */
  public void beforeStep(Minibatch minibatch, Supplier<float[]> global) {
    hooks.forEach(hook -> hook.beforeStep(minibatch, global));
  }

  /** As {@link ReplicaHook#afterStep}. */
  public void afterStep(Minibatch minibatch, float[] predictions) {
    hooks.forEach(hook -> hook.afterStep(minibatch, predictions));
  }

  /** As {@link ReplicaHook#contributed}. */
  public void contributed() {
    hooks.forEach(ReplicaHook::contributed);
  }

  /** As {@link ReplicaHook#refused}. */
  public void refused() {
    hooks.forEach(ReplicaHook::refused);
  }
}
