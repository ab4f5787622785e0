package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;

/**
 * What one version of the model says of all rows of a request.
 *
 * @param outputs rows of {@code shape.labels()}
 */
record Answer(ServedModel model, float[] outputs) {}
