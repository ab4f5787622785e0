package dev.millrace.model.population;

import dev.millrace.model.MemberReport;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.WeightedMember;
import dev.millrace.model.io.ArchiveEntries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Answers what is asked about the members of any population. */
final class PopulationMembers implements ModelMembers {

  @Override
  public Set<String> engines(Path archive) throws IOException {
    try (ArchiveEntries entries = ArchiveEntries.open(archive)) {
      return PopulationFile.read(entries.require(PopulationFile.ENTRY))
          .population()
          .members()
          .stream()
          .map(Member::engine)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Override
  public List<MemberReport> report(String configuration, float[] vector) {
    PopulationFile told = told(configuration, vector);
    return numbers(told).mapToObj(told::report).toList();
  }

  @Override
  public List<WeightedMember> models(ModelSpec spec, float[] vector) {
    PopulationFile told = told(spec.configuration(), vector);
    return numbers(told).mapToObj(number -> told.member(number, spec.shape(), vector)).toList();
  }

  @Override
  public WeightedMember best(ModelSpec spec, float[] vector) {
    PopulationFile told = told(spec.configuration(), vector);
    return told.member(told.best(), spec.shape(), vector);
  }

  private static PopulationFile told(String configuration, float[] vector) {
    return PopulationFile.of(Population.fromJson(configuration), vector, 0);
  }

  private static IntStream numbers(PopulationFile told) {
    return IntStream.range(0, told.population().members().size());
  }
}
