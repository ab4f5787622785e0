package dev.millrace.exchange.flink.replica;

import dev.millrace.model.InitialModel;
import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Where a replica finds the model that a new job starts from. It travels with the job in place of
 * the model, which is needed once, and may be larger than what Flink sends with a task.
 */
@FunctionalInterface
public interface InitialModelSource extends Serializable {

  /** The model; called once, by each replica of a job without a checkpoint to continue from. */
  InitialModel read(RuntimeContext context) throws IOException;
}
