package dev.millrace.cli.models;

import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.model.LearnedFeatures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServableModel;
import dev.millrace.model.Target;
import dev.millrace.model.population.PopulationEngine;
import dev.millrace.model.population.WeightedMember;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Stored models in the form that exporters take. */
final class Servable {

  private Servable() {}

  /**
   * @param best whether only the member of a population is taken that counts most
   * @param description none for a model of others
   */
  static ServableModel of(
      ModelSpec spec,
      float[] vector,
      LearnedFeatures learned,
      boolean best,
      Optional<SnapshotDescription> description) {
    ModelSpec taken = spec;
    float[] values = vector;
    if (best && spec.engine().equals(PopulationEngine.NAME)) {
      WeightedMember member =
          PopulationEngine.members(spec, vector).stream()
              .max(Comparator.comparingDouble(WeightedMember::weight))
              .orElseThrow();
      taken = member.spec();
      values = member.vector();
    }
    return new ServableModel(
        taken,
        values,
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
