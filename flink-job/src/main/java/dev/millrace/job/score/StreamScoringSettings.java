package dev.millrace.job.score;

import dev.millrace.job.follow.ModelPlace;
import dev.millrace.model.DeviceRequest;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a stream's records are predicted for. Examples are what the first model takes.
 *
 * @param models where served models come from
 * @param poll time between two looks for a new model
 * @param batchSize examples that are predicted for at once, at most
 * @param maxWait how long an example may wait for others
 * @param mostWaiting records that a subtask keeps until there is a model
 * @param device what scorers are computed on
 */
public record StreamScoringSettings(
    ModelPlace models,
    Duration poll,
    int batchSize,
    Duration maxWait,
    int mostWaiting,
    DeviceRequest device)
    implements Serializable {}
