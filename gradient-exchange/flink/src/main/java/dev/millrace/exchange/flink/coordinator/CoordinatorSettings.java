package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.round.RefusalLimit;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import java.io.Serializable;

/**
 * What the coordinator has to know.
 *
 * @param batchSize of the replicas' minibatches
 * @param stopRules when training is over
 * @param refusals how many refused contributions the job bears
 * @param gathers whether the contributions of a process are combined before they leave it
 * @param steering what steers training beside what it is configured to
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
    CoordinatorHookFactory steering)
    implements Serializable {}
