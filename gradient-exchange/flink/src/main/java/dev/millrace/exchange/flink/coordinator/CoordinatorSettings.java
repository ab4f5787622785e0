package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.round.RefusalLimit;
import dev.millrace.exchange.round.SteeringRules;
import dev.millrace.exchange.round.StopRules;
import java.io.Serializable;

/**
 * What the coordinator has to know.
 *
 * @param batchSize of the replicas' minibatches
 * @param stopRules when training is over
 * @param refusals how many refused contributions the job bears
 * @param gathers whether the contributions of a process are combined before they leave it
 * @param steering what training is steered by beside what it is configured to
 */
public record CoordinatorSettings(
    InitialGlobalModel start,
    RoundPace pace,
    BatchSize batchSize,
    StopRules stopRules,
    RefusalLimit refusals,
    PublicationSettings publication,
    ReportSettings reports,
    boolean gathers,
    SteeringRules steering)
    implements Serializable {

  /** Settings of training as it is configured. */
  public CoordinatorSettings(
      InitialGlobalModel start,
      RoundPace pace,
      BatchSize batchSize,
      StopRules stopRules,
      RefusalLimit refusals,
      PublicationSettings publication,
      ReportSettings reports,
      boolean gathers) {
    this(
        start,
        pace,
        batchSize,
        stopRules,
        refusals,
        publication,
        reports,
        gathers,
        SteeringRules.NONE);
  }
}
