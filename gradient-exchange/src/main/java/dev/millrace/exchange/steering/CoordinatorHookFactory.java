package dev.millrace.exchange.steering;

import java.io.Serializable;

/** Makes the coordinator's hook. It travels with the job, as its settings. */
public interface CoordinatorHookFactory extends Serializable {

  /** Makes the hook, which has seen no round. */
  CoordinatorHook hook();

  /** Returns what contributions have to tell of single examples. */
  ExampleSignals signals();
}
