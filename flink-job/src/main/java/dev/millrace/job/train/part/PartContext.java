package dev.millrace.job.train.part;

import dev.millrace.model.shape.ExampleShape;
import org.apache.flink.configuration.Configuration;

/**
 * What a part's hooks are made of.
 *
 * @param options that are checked
 * @param shape of the model's examples
 * @param standardizes whether there are statistics of features
 */
public record PartContext(Configuration options, ExampleShape shape, boolean standardizes) {}
