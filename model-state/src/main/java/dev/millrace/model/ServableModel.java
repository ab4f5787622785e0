package dev.millrace.model;

import dev.millrace.model.features.LearnedFeatures;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A model as those need it who only predict with it, in other programs.
 *
 * @param spec what the model is
 * @param vector its parameters, and whatever follows them
 * @param learned what is done to features before the network sees them
 * @param classes names in the order of their numbers; none where classes are numbers
 * @param facts what else is to be told with it, such as its version, by name
 */
public record ServableModel(
    ModelSpec spec,
    float[] vector,
    LearnedFeatures learned,
    List<String> classes,
    Map<String, String> facts) {

  public ServableModel {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(learned, "learned");
    classes = List.copyOf(classes);
    facts = Map.copyOf(facts);
    if (vector.length < spec.parameters()) {
      throw new IllegalArgumentException(
          "A model of %s parameters can't have a vector of %s"
              .formatted(spec.parameters(), vector.length));
    }
  }
}
