package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.model.negatives.NegativesReplica;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a replica makes minibatches.
 *
 * @param size of minibatches
 * @param maxWait how long an example may wait for its minibatch to fill
 * @param negatives pairs that each positive example brings as negative ones, see {@link
 *     NegativesReplica}; 0 for none
 */
public record Batching(BatchSize size, Duration maxWait, int negatives) implements Serializable {}
