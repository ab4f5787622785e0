package dev.millrace.job.train;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a job, as texts, secrets left out.
 *
 * @param given those that were given, or follow from these
 * @param defaults of the others that have one
 */
public record OptionsInForce(Map<String, String> given, Map<String, String> defaults)
    implements Serializable {

  public static final OptionsInForce NONE = new OptionsInForce(Map.of(), Map.of());

  public OptionsInForce {
    given = new TreeMap<>(given);
    defaults = new TreeMap<>(defaults);
  }
}
