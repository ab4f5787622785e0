package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.replica.Guard;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.IndexRange;
import dev.millrace.model.InitialModel;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * The settings of all replicas, which travel with the job.
 *
 * @param initial the model that the job starts from
 * @param layout of the exchanged part of its vector
 * @param batchSize examples of a full minibatch
 * @param maxWait how long an example may wait for its minibatch to fill
 * @param segments parts of that vector whose changes are of one scale
 * @param guard which contributions a replica refuses
 * @param standardize whether features are standardized online
 * @param scaleLearningRate whether the learning rate is multiplied by the number of replicas
 * @param device how replicas of a process share its devices
 */
public record ReplicaSettings(
    InitialModel initial,
    BlockLayout layout,
    int batchSize,
    Duration maxWait,
    Schedule schedule,
    Codec codec,
    List<IndexRange> segments,
    Guard guard,
    boolean standardize,
    boolean scaleLearningRate,
    DeviceRequest.Use device)
    implements Serializable {}
