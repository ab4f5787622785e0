package dev.millrace.sql.predict;

import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.ml.PredictRuntimeProvider;

/** Gives each query that uses a model the function that predicts. */
record MillraceModelProvider(PredictSettings settings) implements PredictRuntimeProvider {

  @Override
  public PredictFunction createPredictFunction(Context context) {
    return new LivePredictFunction(settings);
  }

  /** It never changes. */
  @Override
  public ModelProvider copy() {
    return this;
  }
}
