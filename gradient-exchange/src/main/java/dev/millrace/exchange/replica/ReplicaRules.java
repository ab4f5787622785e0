package dev.millrace.exchange.replica;

import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.schedule.Schedule;
import java.io.Serializable;

/**
 * What all replicas of a job follow.
 *
 * @param schedule of their contributions
 * @param codecs of these
 * @param standardize whether features are standardized before they are learned from
 * @param changesAddUp whether the exchange adds changes up, and doesn't average them
 * @param guard which contributions they refuse
 */
public record ReplicaRules(
    Schedule schedule,
    ContributionCodecs codecs,
    boolean standardize,
    boolean changesAddUp,
    ContributionGuard guard)
    implements Serializable {}
