package dev.millrace.exchange.slow;

import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import java.util.Iterator;
import java.util.function.IntFunction;

/**
 * What a job learns, from what.
 *
 * @param partitions the minibatches of each replica; may be used again once they are learned
 */
record Training(
    InitialModel initial,
    LearningRateScaling scaling,
    ContributionGuard guard,
    IntFunction<Iterator<Minibatch>> partitions) {}
