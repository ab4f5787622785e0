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

  /** Tells each, as {@link ReplicaHook#begin} says. */
  public void begin(float[] vector) {
    hooks.forEach(hook -> hook.begin(vector));
  }

  /** Tells each, as {@link ReplicaHook#accept} says. */
  public void accept(RoundHead head) {
    hooks.forEach(hook -> hook.accept(head));
  }

  /** Tells each, as {@link ReplicaHook#beforeStep} says. */
  public void beforeStep(Minibatch minibatch, Supplier<float[]> global) {
    hooks.forEach(hook -> hook.beforeStep(minibatch, global));
  }

  /** Tells each, as {@link ReplicaHook#afterStep} says. */
  public void afterStep(Minibatch minibatch, float[] predictions) {
    hooks.forEach(hook -> hook.afterStep(minibatch, predictions));
  }

  /** Tells each, as {@link ReplicaHook#contributed} says. */
  public void contributed() {
    hooks.forEach(ReplicaHook::contributed);
  }

  /** Tells each, as {@link ReplicaHook#refused} says. */
  public void refused() {
    hooks.forEach(ReplicaHook::refused);
  }
}
