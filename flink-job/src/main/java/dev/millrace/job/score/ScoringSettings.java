package dev.millrace.job.score;

import dev.millrace.model.shape.ExampleShape;
import java.io.Serializable;
import java.util.List;

/**
 * The settings of all scorers of a job that only scores, which travel with the job.
 *
 * @param shape of the examples
 * @param classes names of the classes in the order of their numbers; none for the numbers
 * @param serving how they predict
 */
public record ScoringSettings(ExampleShape shape, List<String> classes, ServingSettings serving)
    implements Serializable {}
