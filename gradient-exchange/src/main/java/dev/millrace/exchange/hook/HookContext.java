package dev.millrace.exchange.hook;

import dev.millrace.model.ModelReplica;

/**
 * What a hook is made for.
 *
 * @param index number of the replica
 * @param replicas how many there are
 * @param readers how many of them can have something to read, see {@link
 *     dev.millrace.exchange.minibatch.BatchSize#readers}: what is shared out, they share
 * @param model that the replica trains
 * @param changesAddUp whether the exchange adds changes up, and doesn't average them
 * @param port the way to the hook's own part of the job
 */
public record HookContext(
    int index,
    int replicas,
    int readers,
    ModelReplica model,
    boolean changesAddUp,
    HookPort port) {}
