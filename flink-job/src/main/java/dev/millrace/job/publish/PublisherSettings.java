package dev.millrace.job.publish;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelSpec;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;

/**
 * What the publisher has to know.
 *
 * @param spec what the model is
 * @param layout of the exchanged part of its vector
 * @param holdOut where the hold-out set comes from; null for none
 * @param directory that models are written to; null for none
 * @param interval least time between two models written; zero to write the last one only
 * @param keep how many written models are kept
 * @param configuration the job's options, for the descriptions of written models
 */
public record PublisherSettings(
    ModelSpec spec,
    BlockLayout layout,
    HoldOutSource holdOut,
    String directory,
    Duration interval,
    int keep,
    Map<String, String> configuration)
    implements Serializable {}
