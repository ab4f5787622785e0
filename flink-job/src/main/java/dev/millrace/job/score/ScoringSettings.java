package dev.millrace.job.score;

import dev.millrace.job.follow.ModelPlace;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.ExampleShape;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * The settings of all scorers, which travel with the job.
 *
 * @param shape of the examples
 * @param classes names of the classes in the order of their numbers; none for the numbers
 * @param models where served models come from
 * @param poll time between two looks for a new model
 * @param batchSize examples that are predicted for at once, at most
 * @param maxWait how long an example may wait for others
 * @param device what scorers are computed on, of the devices that Flink allots
 */
public record ScoringSettings(
    ExampleShape shape,
    List<String> classes,
    ModelPlace models,
    Duration poll,
    int batchSize,
    Duration maxWait,
    DeviceRequest device)
    implements Serializable {}
