package dev.millrace.job.testing;

import dev.millrace.example.Example;
import java.util.List;

/** A network in its own library, without Millrace: what a job's models are compared with. */
public interface PlainNetwork {

  /** One optimizer step. */
  void fit(List<Example> batch);

  /** Predictions for examples as they come, row-major. */
  float[] predict(List<Example> examples);

  /** [parameters | updater state], as the engine has it. */
  float[] vector();

  /** Goes on from such a vector. */
  void write(float[] vector);
}
