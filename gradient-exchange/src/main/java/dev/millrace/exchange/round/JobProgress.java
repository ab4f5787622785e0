package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * How far a job has come, counted in the examples that all its replicas have learned: so it is the
 * same at any parallelism and with any local minibatches.
 *
 * @param examples that this job has learned
 * @param steps of the model: one for each batch of examples, and those that it had behind it when
 *     the job began. Schedules of learning rates go by it
 * @param begun examples that the next step already has
 */
public record JobProgress(long examples, long steps, long begun) implements Serializable {

  public static final JobProgress NONE = atStart(0);

  /** Returns the progress of a job whose model has so many steps behind it. */
  public static JobProgress atStart(long steps) {
    return new JobProgress(0, steps, 0);
  }

  /** Returns the progress after so many more examples, of which a step takes {@code ofStep}. */
  public JobProgress plus(long more, int ofStep) {
    long open = begun + more;
    return new JobProgress(examples + more, steps + open / ofStep, open % ofStep);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(examples);
    out.writeLong(steps);
    out.writeLong(begun);
  }

  static JobProgress read(DataInput in) throws IOException {
    return new JobProgress(in.readLong(), in.readLong(), in.readLong());
  }
}
