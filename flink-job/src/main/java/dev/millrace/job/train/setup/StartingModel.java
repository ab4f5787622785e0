package dev.millrace.job.train.setup;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Lineage;
import dev.millrace.model.features.LearnedFeatures;
import java.util.List;

/**
 * What a job starts to train.
 *
 * @param initial the model
 * @param standardizes whether features are standardized
 * @param learned what is known of features at the start, with their clip; statistics of no features
 *     where they aren't standardized
 * @param clipOrNull the clip that the options ask for; null where they leave it to the model
 * @param parentOrNull the archive that it comes from; null where it is new
 * @param grown how the archive's model has grown, the last time in this job
 * @param warnings what whoever starts the job may not expect of it
 */
public record StartingModel(
    InitialModel initial,
    boolean standardizes,
    LearnedFeatures learned,
    Double clipOrNull,
    Lineage.Parent parentOrNull,
    List<Lineage.Grown> grown,
    List<String> warnings) {}
