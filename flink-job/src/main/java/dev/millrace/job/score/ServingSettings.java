package dev.millrace.job.score;

import dev.millrace.job.follow.ModelPlace;
import dev.millrace.model.device.DeviceRequest;
import java.io.Serializable;
import java.time.Duration;

/**
 * How operators predict. It travels with the job.
 *
 * @param models where served models come from
 * @param poll time between two looks for a new model
 * @param batchSize examples that are predicted for at once, at most
 * @param maxWait how long an example may wait for others
 * @param device what scorers are computed on, of the devices that Flink allots
 */
public record ServingSettings(
    ModelPlace models, Duration poll, int batchSize, Duration maxWait, DeviceRequest device)
    implements Serializable {}
