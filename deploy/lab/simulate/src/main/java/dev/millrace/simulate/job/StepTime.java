package dev.millrace.simulate.job;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.model.Minibatch;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.time.Chance;
import java.util.function.Supplier;

/** Has each local step of a replica take time, which the replica measures as its own. */
final class StepTime implements ReplicaHookFactory, ReplicaHook {

  private static final long serialVersionUID = 1;

  private final transient Task task;
  private final transient Chance chance;
  private final long longest;

  StepTime(Task task, Chance chance, long longest) {
    this.task = task;
    this.chance = chance;
    this.longest = longest;
  }

  @Override
  public ReplicaHook hook(HookContext context) {
    return this;
  }

  @Override
  public void beforeStep(Minibatch minibatch, Supplier<float[]> global) {
    task.spend(chance.between(longest / 3, longest));
  }
}
