package dev.millrace.model;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * How many optimizer steps a model has made, and its updater. The two counts differ where many
 * replicas learn: all their steps count in the model, and its own in each one's updater. They
 * differ too where the updater's state has started from zero in between: its bias corrections begin
 * again then, and the schedules of learning rates continue.
 *
 * @param iteration of the model, which schedules depend on
 * @param ofUpdater behind the updater's state, which bias corrections depend on
 */
public record Steps(long iteration, long ofUpdater) implements Serializable {

  public static final Steps NONE = new Steps(0, 0);

  /** Returns the steps of a model whose updater state has seen all of them. */
  public static Steps of(long iteration) {
    return new Steps(iteration, iteration);
  }

  public void write(DataOutput out) throws IOException {
    out.writeLong(iteration);
    out.writeLong(ofUpdater);
  }

  public static Steps read(DataInput in) throws IOException {
    return new Steps(in.readLong(), in.readLong());
  }
}
