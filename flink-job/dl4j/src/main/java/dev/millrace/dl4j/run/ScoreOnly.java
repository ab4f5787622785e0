package dev.millrace.dl4j.run;

import org.deeplearning4j.optimize.api.TrainingListener;

/**
 * A listener that asks a network for its score alone. Where all are of this kind, no models are
 * published while training goes on.
 */
public interface ScoreOnly extends TrainingListener {}
