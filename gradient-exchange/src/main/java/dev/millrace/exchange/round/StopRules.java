package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;

/**
 * When training is over, besides at the end of its input. 0 switches a rule off.
 *
 * @param time since training first began, failures and stops between included
 * @param examples records learned
 * @param patience records learned without a better prequential loss
 * @param leastImprovement by how much a loss has to be lower to be better
 * @param window examples that the prequential loss is of; until there are as many, it isn't looked
 *     at
 */
public record StopRules(
    Duration time, long examples, long patience, double leastImprovement, long window)
    implements Serializable {

  public static final StopRules NONE = new StopRules(Duration.ZERO, 0, 0, 0, 0);

  void write(DataOutput out) throws IOException {
    out.writeLong(time.toMillis());
    out.writeLong(examples);
    out.writeLong(patience);
    out.writeDouble(leastImprovement);
    out.writeLong(window);
  }

  static StopRules read(DataInput in) throws IOException {
    return new StopRules(
        Duration.ofMillis(in.readLong()),
        in.readLong(),
        in.readLong(),
        in.readDouble(),
        in.readLong());
  }
}
