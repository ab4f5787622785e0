package dev.millrace.job.evaluator;

import java.io.Serializable;

/**
 * Where a report is written, on any file system that Flink knows, as URIs.
 *
 * @param json null for nowhere
 * @param page null for nowhere
 */
public record ReportPlaces(String json, String page) implements Serializable {

  public ReportPlaces {
    if (json == null && page == null) {
      throw new IllegalArgumentException("A report has to be written somewhere");
    }
  }
}
