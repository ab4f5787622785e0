package dev.millrace.job.models;

import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServableModel;
import dev.millrace.model.WeightedMember;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Stored models in the form that exporters take. */
public final class Servable {

  private Servable() {}

  /**
   * Returns a model in this form.
   *
   * @param best whether only the member is taken that counts most, where the model is made of
   *     several
   * @param description none for a model of others
   */
  public static ServableModel of(
      ModelSpec spec,
      float[] vector,
      LearnedFeatures learned,
      boolean best,
      Optional<SnapshotDescription> description) {
    Optional<WeightedMember> taken =
        best
            ? ModelMembers.of(spec.engine()).map(members -> members.best(spec, vector))
            : Optional.empty();
    return new ServableModel(
        taken.map(WeightedMember::spec).orElse(spec),
        taken.map(WeightedMember::vector).orElse(vector),
        learned,
        description
            .filter(any -> spec.shape().target() == Target.CLASSIFICATION)
            .map(known -> ClassOrder.in(known.configuration()))
            .orElse(List.of()),
        description.map(Servable::facts).orElse(Map.of()));
  }

  private static Map<String, String> facts(SnapshotDescription description) {
    List<PartitionProgress> ledger = description.ledger();
    Map<String, String> facts = new TreeMap<>();
    facts.put("millrace.version", description.version().toString());
    facts.put("millrace.iteration", Long.toString(description.iteration()));
    facts.put("millrace.created", description.created().toString());
    facts.put("millrace.records.learned", Long.toString(description.learned()));
    facts.put(
        "millrace.records.rejected",
        Long.toString(ledger.stream().mapToLong(part -> part.rejected().count()).sum()));
    facts.put("millrace.description", description.toJson());
    return facts;
  }
}
