package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.round.RefusalLimit;
import dev.millrace.exchange.round.StopRules;
import java.io.Serializable;

/**
 * What the coordinator has to know.
 *
 * @param batchSize of the replicas' minibatches
 * @param stopRules when training is over
 * @param refusals how many refused contributions the job bears
 * @param gathers whether the contributions of a process are combined before they leave it
 */
public record CoordinatorSettings(
    InitialGlobalModel start,
    RoundPace pace,
    BatchSize batchSize,
    StopRules stopRules,
    RefusalLimit refusals,
    PublicationSettings publication,
    ReportSettings reports,
    boolean gathers)
    implements Serializable {}
