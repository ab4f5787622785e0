package dev.millrace.exchange.replica;

import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.model.ModelReplica;

/**
 * What a replica consists of, for those who work on it.
 *
 * @param index number of the replica in the job
 * @param model that learns
 * @param vector the model's values and what the global model knows of them
 * @param progress what was learned since the last contribution
 * @param standardizer of the features
 * @param contributions which have been made
 * @param job how far it has come
 * @param hooks what helps it learn
 * @param clock where the time goes
 */
record ReplicaParts(
    int index,
    ModelReplica model,
    LocalVector vector,
    PendingContribution progress,
    Standardizer standardizer,
    OwnContributions contributions,
    JobSteps job,
    ReplicaHooks hooks,
    PhaseClock clock) {}
