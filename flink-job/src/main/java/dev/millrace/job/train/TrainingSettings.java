package dev.millrace.job.train;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.flink.coordinator.CoordinatorSettings;
import dev.millrace.exchange.flink.replica.ReplicaSettings;
import dev.millrace.job.train.publish.PublisherSettings;
import dev.millrace.model.InitialModel;
import java.util.List;

/**
 * What the graph is made of, decided before it is built.
 *
 * @param initial the model that a job without a checkpoint starts from
 * @param feedback codecs of what goes back from the exchange
 * @param averaging whether blocks keep a moving average, and whether that is published
 * @param loops beside that of the exchange
 * @param options of the job, for people
 */
public record TrainingSettings(
    InitialModel initial,
    ReplicaSettings replica,
    CoordinatorSettings coordinator,
    PublisherSettings publisher,
    Aggregator aggregator,
    ServerOptimizer serverOptimizer,
    FeedbackCodecs feedback,
    Averaging averaging,
    List<SideLoop> loops,
    OptionsInForce options) {}
