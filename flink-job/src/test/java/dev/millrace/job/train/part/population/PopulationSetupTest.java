package dev.millrace.job.train.part.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.setup.ModelSetup;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.population.Member;
import dev.millrace.model.population.Population;
import dev.millrace.model.population.PopulationEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What options make of a population. */
class PopulationSetupTest {

  private static final ExampleShape SHAPE = new ExampleShape(2, 3, Target.CLASSIFICATION);
  private static final Map<String, String> RATES =
      Map.of("model.name", "mlp", "model.population.learning-rates", "0.01;0.1");

  @TempDir Path directory;

  @Test
  void membersHaveRatesAndWeightsOfTheirOwn() {
    InitialModel model =
        setup(
            RATES,
            Map.of(
                "model.population.follow", "0.002",
                "model.population.replay", "0;7"));

    Population population = Population.fromJson(model.spec().configuration());
    assertThat(model.spec().engine()).isEqualTo(PopulationEngine.NAME);
    assertThat(population.sharpness()).isEqualTo(0.5);
    assertThat(population.discount()).isEqualTo(0.99);
    assertThat(population.follow()).isEqualTo(0.002);
    assertThat(population.members().stream().map(Member::learningRate)).containsExactly(0.01, 0.1);
    assertThat(population.members().get(0).configuration()).contains("0.01");
    assertThat(population.members().get(1).configuration()).contains("0.1");
    assertThat(population.members().stream().map(Member::replay)).containsExactly(0, 7);
    int each = population.members().get(0).parameters();
    float[] first = Arrays.copyOf(model.vector(), each);
    float[] alone = setup(Map.of("model.name", "mlp"), Map.of()).vector();
    assertThat(first).isEqualTo(Arrays.copyOf(alone, each));
    assertThat(Arrays.copyOfRange(model.vector(), each, 2 * each)).isNotEqualTo(first);
  }

  @Test
  void anArchiveOfAPopulationKeepsItsRates() throws Exception {
    InitialModel begun = setup(RATES, Map.of());
    Path file = directory.resolve("population.zip");
    new PopulationEngine().writeArchive(global(begun), Optional.empty(), file);
    Map<String, String> archive = Map.of("model.archive", file.toString());

    assertThat(setup(archive, Map.of()).vector()).isEqualTo(begun.vector());
    assertThat(setup(archive, Map.of("model.population.learning-rates", "0.01;0.1")).spec())
        .isEqualTo(begun.spec());
    assertThatThrownBy(() -> setup(archive, Map.of("model.population.learning-rates", "0.01;1")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("[0.01, 1.0]", "[0.01, 0.1]", file.toString());
    assertThatThrownBy(() -> setup(archive, Map.of("model.learning-rate", "0.5")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("keep their learning rates");
  }

  @Test
  void anArchiveOfAPopulationKeepsHowFarItsRatesHaveFollowed() throws Exception {
    InitialModel begun = setup(RATES, Map.of("model.population.follow", "0.002"));
    begun.vector()[begun.spec().parameters() - 1] = -1.5f;
    Path file = directory.resolve("population.zip");
    new PopulationEngine().writeArchive(global(begun), Optional.empty(), file);

    InitialModel again = setup(Map.of("model.archive", file.toString()), Map.of());

    assertThat(again.spec()).isEqualTo(begun.spec());
    assertThat(again.vector()).isEqualTo(begun.vector());
  }

  /** So savepoints and archives of such jobs stay what they are. */
  @Test
  void whereRatesStayNothingSaysOtherwise() {
    InitialModel model = setup(RATES, Map.of());

    assertThat(model.spec().configuration()).doesNotContain("follow");
    int each = Population.fromJson(model.spec().configuration()).members().get(0).parameters();
    assertThat(model.spec().parameters()).isEqualTo(2 * each + 2);
  }

  private static GlobalModel global(InitialModel model) {
    return new GlobalModel(
        model.spec(),
        new ModelVersion(1, 1),
        0,
        model.vector(),
        LearnedFeatures.none(SHAPE, false),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE,
        ServerOptimizerState.NONE,
        false);
  }

  private static InitialModel setup(Map<String, String> options, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(options);
    all.putAll(more);
    return ModelSetup.of(OptionReader.configuration(all), SHAPE).initial();
  }
}
