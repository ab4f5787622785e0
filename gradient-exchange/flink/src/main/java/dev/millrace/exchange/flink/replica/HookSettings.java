package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.steering.ExampleSignals;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * What helps replicas learn, and what they tell of their learning.
 *
 * @param factories of hooks, in the order in which these are told
 * @param signals what contributions tell of single examples
 * @param detailsInterval from one look into the first replica's network to the next, at least; 0
 *     for none
 */
public record HookSettings(
    List<ReplicaHookFactory> factories, ExampleSignals signals, Duration detailsInterval)
    implements Serializable {

  /** Nothing helps, and nothing is told. */
  public static final HookSettings NONE =
      new HookSettings(List.of(), ExampleSignals.NOTHING, Duration.ZERO);

  public HookSettings {
    factories = List.copyOf(factories);
  }

  /** Makes the hooks of one replica. */
  List<ReplicaHook> hooks(HookContext context) {
    return factories.stream().map(factory -> factory.hook(context)).toList();
  }

  /** Returns how many rows hooks may add to a minibatch of so many fresh ones. */
  int mostRows(int fresh) {
    return factories.stream().mapToInt(factory -> factory.mostRows(fresh)).sum();
  }

  /** Whether any hook needs the times of records. */
  boolean useTimes() {
    return factories.stream().anyMatch(ReplicaHookFactory::usesTimes);
  }

  /** Whether any hook needs the gradients of features. */
  public boolean useInputGradients() {
    return factories.stream().anyMatch(ReplicaHookFactory::usesInputGradients);
  }

  /** Returns how many minibatches may wait for what hooks ask for, beside the next one. */
  int prefetch() {
    return factories.stream().mapToInt(ReplicaHookFactory::prefetch).max().orElse(0);
  }
}
