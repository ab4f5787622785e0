package dev.millrace.sql.predict;

import org.apache.flink.table.api.config.MLPredictRuntimeConfigOptions;
import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.table.ml.AsyncPredictRuntimeProvider;
import org.apache.flink.table.ml.ModelProvider;

/** Gives each query that uses a model the function that predicts. */
record MillraceModelProvider(PredictSettings settings) implements AsyncPredictRuntimeProvider {

  @Override
  public AsyncPredictFunction createAsyncPredictFunction(Context context) {
    return new LivePredictFunction(
        settings,
        context
            .runtimeConfig()
            .getOptional(MLPredictRuntimeConfigOptions.ASYNC_MAX_CONCURRENT_OPERATIONS)
            .orElse(null));
  }

  /** It never changes. */
  @Override
  public ModelProvider copy() {
    return this;
  }
}
