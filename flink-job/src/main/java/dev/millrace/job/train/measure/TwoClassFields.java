package dev.millrace.job.train.measure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.model.Measures;

/**
 * The fields that metric records have where examples are positive or negative;
 * docs/internals/formats.md describes them. Measures that aren't defined are left out.
 */
public final class TwoClassFields {

  private TwoClassFields() {}

  /** Adds them to a record, each name with the prefix. */
  public static void put(ObjectNode record, Measures measures, String prefix) {
    put(record, prefix + "auc", measures.auc());
    put(record, prefix + "normalizedEntropy", measures.normalizedEntropy());
    put(record, prefix + "calibrationRatio", measures.calibrationRatio());
  }

  private static void put(ObjectNode record, String name, double value) {
    if (Double.isFinite(value)) {
      record.put(name, value);
    }
  }
}
