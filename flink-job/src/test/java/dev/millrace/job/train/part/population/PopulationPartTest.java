package dev.millrace.job.train.part.population;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.setup.OptionReader;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PopulationPartTest {

  @Test
  void thePresetForStreamsHasOneNetworkWhereFieldsAreIds() {
    String number = "{\"path\":\"x\",\"kind\":\"number\"}";
    String id = "{\"path\":\"user\",\"kind\":\"id\",\"dimension\":2}";

    assertThat(streaming(number)).containsKey("model.population.learning-rates");
    assertThat(streaming(number + "," + id)).isEmpty();
    assertThat(streaming("{\"kind\":\"none\"}")).as("wrong fields").isNotEmpty();
  }

  private static Map<String, String> streaming(String fields) {
    return new PopulationPart()
        .streaming(
            OptionReader.configuration(
                Map.of("input.format", "json", "input.fields", "[" + fields + "]")));
  }
}
