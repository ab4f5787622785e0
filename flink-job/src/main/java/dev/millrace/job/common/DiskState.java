package dev.millrace.job.common;

import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Keeps a job's state in RocksDB: it may be more than fits into memory. Whoever names a backend in
 * Flink's configuration has that one.
 */
public final class DiskState {

  /** Filters know of most keys that they aren't there, without a look at the disk. */
  private static final ConfigOption<Boolean> FILTERS =
      ConfigOptions.key("state.backend.rocksdb.use-bloom-filter").booleanType().noDefaultValue();

  private DiskState() {}

  /** Sets up what a job is run with. What is set already stays. */
  public static void prefer(StreamExecutionEnvironment environment) {
    if (environment.getConfiguration().getOptional(StateBackendOptions.STATE_BACKEND).isEmpty()) {
      Configuration backend = new Configuration();
      backend.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
      setUnlessSet(environment, backend, CheckpointingOptions.INCREMENTAL_CHECKPOINTS);
      setUnlessSet(environment, backend, FILTERS);
      environment.configure(backend);
    }
  }

  private static void setUnlessSet(
      StreamExecutionEnvironment environment, Configuration backend, ConfigOption<Boolean> option) {
    if (environment.getConfiguration().getOptional(option).isEmpty()) {
      backend.set(option, true);
    }
  }
}
