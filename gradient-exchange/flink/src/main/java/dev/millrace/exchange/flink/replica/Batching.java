package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.minibatch.BatchSize;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a replica makes minibatches.
 *
 * @param size of minibatches
 * @param maxWait how long an example may wait for its minibatch to fill
 */
public record Batching(BatchSize size, Duration maxWait) implements Serializable {}
