package dev.millrace.job.train.publish;

import dev.millrace.job.follow.RowPlace;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import java.io.Serializable;

/**
 * The settings of the publisher, which travel with the job.
 *
 * @param spec what the model is
 * @param layout of the exchanged part of its vector
 * @param holdOut where the hold-out set comes from; null for none
 * @param rowsOrNull where segments have rows of ids; null where they need none
 * @param device where models are measured
 * @param release where and how models are published; null for not at all
 */
public record PublisherSettings(
    ModelSpec spec,
    BlockLayout layout,
    HoldOutSource holdOut,
    RowPlace rowsOrNull,
    DeviceRequest device,
    ReleaseSettings release)
    implements Serializable {}
