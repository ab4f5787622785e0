package dev.millrace.model.torch;

/** How an updater changes parameters by gradients; as {@code torch.optim} has it. */
interface UpdateRule extends AutoCloseable {

  /**
   * Changes all parameters and the updater's state.
   *
   * @param rate of this step
   * @param step of the updater, from 1
   */
  void apply(double rate, long step);

  @Override
  default void close() {}
}
