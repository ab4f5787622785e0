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
  private final boolean inputGradients;
  private final boolean state;

  /** Hooks that want no gradients of features, in the order in which they are told. */
  public ReplicaHooks(List<ReplicaHook> hooks) {
    this(hooks, false);
  }

  /**
   * @param hooks in the order in which they are told
   * @param inputGradients whether steps have to tell the gradients of features
   */
  public ReplicaHooks(List<ReplicaHook> hooks, boolean inputGradients) {
    this.hooks = List.copyOf(hooks);
    this.inputGradients = inputGradients;
    this.state = hooks.stream().anyMatch(hook -> hook.state().isPresent());
  }

  /** Whether steps have to tell the gradients of features. */
  public boolean useInputGradients() {
    return inputGradients;
  }

  /** Whether any of them remembers what it was told. */
  public boolean keepState() {
    return state;
  }

  /** Returns each of them. */
  public List<ReplicaHook> all() {
    return hooks;
  }

  /** Tells each, as {@link ReplicaHook#begin} says. */
  public void begin(float[] vector) {
    hooks.forEach(hook -> hook.begin(vector));
  }

  /** Tells each, as {@link ReplicaHook#accept(RoundHead)} says. */
  public void accept(RoundHead head) {
    hooks.forEach(hook -> hook.accept(head));
  }

  /** Gives each a message, as {@link ReplicaHook#accept(HookMessage)} says. */
  public void accept(HookMessage message) {
    hooks.forEach(hook -> hook.accept(message));
  }

  /** Asks each, as {@link ReplicaHook#isReady} says, and all of them. */
  public boolean areReady(Minibatch minibatch) {
    boolean ready = true;
    for (ReplicaHook hook : hooks) {
      ready &= hook.isReady(minibatch);
    }
    return ready;
  }

  /** Tells each, as {@link ReplicaHook#takeGradients} says. */
  public void takeGradients(Minibatch minibatch, float[] gradients) {
    hooks.forEach(hook -> hook.takeGradients(minibatch, gradients));
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

  /** Tells each, as {@link ReplicaHook#ended} says. */
  public void ended() {
    hooks.forEach(ReplicaHook::ended);
  }
}
