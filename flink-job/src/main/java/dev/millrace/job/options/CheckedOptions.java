package dev.millrace.job.options;

import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * Options of a job that have been found right.
 *
 * @param values what was given, completed by its preset and by the cluster's configuration
 * @param warnings options that have no effect in this job, and may in another one
 */
public record CheckedOptions(Configuration values, List<String> warnings) {

  public CheckedOptions {
    warnings = List.copyOf(warnings);
  }
}
