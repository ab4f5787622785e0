package dev.millrace.exchange.hook;

import java.io.Serializable;

/** Makes the hook of each replica. It travels with the job, as its settings. */
public interface ReplicaHookFactory extends Serializable {

  /** Makes the hook of one replica. */
  ReplicaHook hook(HookContext context);

  /** Returns how many rows the hook may add to a minibatch of so many fresh ones. */
  default int mostRows(int fresh) {
    return 0;
  }

  /** Whether steps have to tell the gradients of features. */
  default boolean usesInputGradients() {
    return false;
  }

  /** Returns how many minibatches it asks for what they need before they are learned. */
  default int prefetch() {
    return 0;
  }

  /** Whether minibatches have to tell the times of their records. */
  default boolean usesTimes() {
    return false;
  }
}
