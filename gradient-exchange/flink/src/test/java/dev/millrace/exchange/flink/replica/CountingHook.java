package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookState;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.model.Minibatch;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Counts local steps, in a state of either kind. */
final class CountingHook implements ReplicaHook {

  /** Makes one with a state of its kind. */
  enum Factory implements ReplicaHookFactory {
    SHARED,
    OWN;

    @Override
    public ReplicaHook hook(HookContext context) {
      return new CountingHook(this);
    }
  }

  private final Factory kind;
  private volatile byte steps;

  private CountingHook(Factory kind) {
    this.kind = kind;
  }

  @Override
  public void afterStep(Minibatch minibatch, float[] predictions) {
    steps = (byte) (steps + 1);
  }

  @Override
  public Map<String, LongSupplier> gauges() {
    return Map.of("steps" + kind, () -> steps);
  }

  @Override
  public Optional<HookState> state() {
    return Optional.of(kind == Factory.SHARED ? new SharedSteps() : new OwnSteps());
  }

  private final class SharedSteps implements HookState.Shared {

    @Override
    public String name() {
      return "shared";
    }

    @Override
    public List<byte[]> save() {
      return List.of(new byte[] {steps});
    }

    @Override
    public void restore(List<byte[]> saved) {
      saved.forEach(part -> steps = (byte) (steps + part[0]));
    }
  }

  private final class OwnSteps implements HookState.Own {

    @Override
    public String name() {
      return "own";
    }

    @Override
    public Saved save(int replica) {
      byte now = steps;
      return out -> out.writeByte(now);
    }

    @Override
    public void restore(int replica, DataInput in) throws IOException {
      steps = in.readByte();
    }
  }
}
