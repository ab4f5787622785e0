package dev.millrace.fields;

import java.io.Serializable;
import java.util.Optional;

/**
 * A field that is a label, or tells it by a rule.
 *
 * @param ruleOrNull null where the value itself is the label
 */
public record LabelField(FieldSource source, LabelRule ruleOrNull) implements Serializable {

  public Optional<LabelRule> rule() {
    return Optional.ofNullable(ruleOrNull);
  }
}
