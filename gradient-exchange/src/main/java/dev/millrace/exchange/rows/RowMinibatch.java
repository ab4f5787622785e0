package dev.millrace.exchange.rows;

/**
 * What holds for all gradients of a push.
 *
 * @param scale multiplies the gradients
 * @param time the latest timestamp of the minibatch's examples in milliseconds, or {@link
 *     RowPush#NO_TIME}
 * @param examples of the minibatch, fresh ones
 * @param epoch updaters' slots of rows of an earlier one are reset before their next update; from 0
 *     to 65,535
 */
public record RowMinibatch(float scale, long time, int examples, int epoch) {

  public RowMinibatch {
    if (!Float.isFinite(scale)) {
      throw new IllegalArgumentException(
          "Gradients of rows have a scale of %s; it must be finite".formatted(scale));
    }
    if (examples < 0) {
      throw new IllegalArgumentException("A minibatch has %s examples".formatted(examples));
    }
    if (epoch < 0 || epoch > RowFormat.MOST_EPOCH) {
      throw new IllegalArgumentException(
          "Rows have an epoch of %s; it must be 0 to %s".formatted(epoch, RowFormat.MOST_EPOCH));
    }
  }
}
