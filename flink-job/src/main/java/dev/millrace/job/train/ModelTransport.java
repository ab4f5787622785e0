package dev.millrace.job.train;

import dev.millrace.exchange.flink.replica.InitialModelSource;
import dev.millrace.model.InitialModel;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** How the model that a new job starts from gets to the replicas. */
@FunctionalInterface
public interface ModelTransport {

  /**
   * Sends the model as a file in the job's distributed cache: it is sent to the cluster once, from
   * there to each process of replicas, and isn't kept in memory. The environment then belongs to
   * this job.
   */
  ModelTransport CACHE = CachedInitialModel::of;

  /**
   * Sends the model within the job's graph, for environments that make other jobs, too, which would
   * all send the file. It goes to each replica, and stays in the memory of the process that has the
   * graph.
   */
  ModelTransport GRAPH = (model, environment, prefix) -> context -> model;

  /**
   * Adds a model to a job.
   *
   * @param prefix tells the models of one job apart; empty for the only one
   */
  InitialModelSource send(
      InitialModel model, StreamExecutionEnvironment environment, String prefix);
}
