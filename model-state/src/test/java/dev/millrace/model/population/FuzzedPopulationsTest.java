package dev.millrace.model.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.testing.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an archive says of its population, whatever it says, is read or refused. */
final class FuzzedPopulationsTest {

  private static final Fuzz FUZZ = new Fuzz(IOException.class, InvalidModelException.class);

  @Test
  void whatArchivesSayIsReadOrRefused() throws IOException {
    assertThat(files(3_000)).isGreaterThan(500);
  }

  /** Archives in archives would go as deep as somebody likes. */
  @Test
  void aMemberIsNoPopulation() {
    String json =
        population().toJson().replaceFirst("\"engine\":\"dl4j\"", "\"engine\":\"population\"");

    assertThatThrownBy(() -> Population.fromJson(json))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("can't be a population");
  }

  static int files(int count) throws IOException {
    Population population = population();
    float[] vector = new float[population.parameters()];
    String whole =
        new String(PopulationFile.of(population, vector, 7).write(), StandardCharsets.UTF_8);
    return FUZZ.run(
        count,
        mutations -> {
          byte[] json = mutations.json(whole).getBytes(StandardCharsets.UTF_8);
          PopulationFile read = PopulationFile.read(json);
          read.statistics();
          read.entries();
          Population.fromJson(read.population().toJson());
        });
  }

  private static Population population() {
    Member member =
        new Member(
            "dl4j",
            "MultiLayerNetwork",
            "{\"confs\":[]}",
            10,
            20,
            List.of(new IndexRange(1, 3)),
            List.of(),
            0.1,
            4);
    return new Population(0.9, 1, 0.5, List.of(member, member));
  }
}
