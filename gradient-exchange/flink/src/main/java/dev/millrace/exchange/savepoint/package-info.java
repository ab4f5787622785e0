/**
 * Reading the model out of savepoints and checkpoints, without a cluster and without its job.
 *
 * <p>This is the one place that knows how Flink lays out its snapshots, behind {@link
 * dev.millrace.exchange.savepoint.KeyedEntries}; what is used of Flink here is internal to it, and
 * to be looked at with each new release. Flink's own State Processor API would spare that, but it
 * runs a job on a cluster inside the process, and restores a whole state backend before it gives
 * out the first entry; with contributions under way a block's state is several times the block. So
 * entries are read one by one, as they lie.
 */
package dev.millrace.exchange.savepoint;
