package dev.millrace.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {

  @TempDir Path directory;

  @Test
  void writesPageDataAndCharts() throws Exception {
    Samples samples = new Samples();
    samples.add(3);
    samples.add(1);
    samples.add(2);
    new Page(directory, "speed", "How fast")
        .table(new Table("what", "rate").row("fit", Figures.range(samples)))
        .samples("fit", "examples/s", samples)
        .bars("all", "Rates", "examples/s", List.of("a", "b"), Map.of("fit", List.of(1.0, 2.0)))
        .curves("far", "Far", "x", "y", List.of(1.0, 10.0), Map.of("fit", List.of(1.0, 2.0)))
        .lines(
            "near",
            "Near",
            "x",
            "y",
            Map.of("fit", List.of(new double[] {1, 2}, new double[] {3, 4})))
        .write();

    assertThat(directory.resolve("speed.md"))
        .content(UTF_8)
        .startsWith("# How fast\n")
        .contains("| fit | 2.00 (1.00–3.00) |", "(speed-all.png)", "(speed-far.png)", "cores");
    JsonNode data = new ObjectMapper().readTree(directory.resolve("speed.json").toFile());
    assertThat(data.at("/figures/fit/median").asDouble()).isEqualTo(2);
    assertThat(data.at("/figures/fit/values")).hasSize(3);
    assertThat(data.at("/machine/cores").asInt()).isPositive();
    assertThat(ImageIO.read(directory.resolve("speed-all.png").toFile())).isNotNull();
    assertThat(ImageIO.read(directory.resolve("speed-far.png").toFile())).isNotNull();
    assertThat(ImageIO.read(directory.resolve("speed-near.png").toFile())).isNotNull();
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
    Samples samples = new Samples();
    List.of(4.0, 1.0, 2.0, 8.0).forEach(samples::add);

    assertThat(samples.median()).isEqualTo(3);
    assertThat(samples.least()).isEqualTo(1);
    assertThat(samples.greatest()).isEqualTo(8);
  }

  @Test
  void aTableTakesOnlyRowsOfItsWidth() {
    Table table = new Table("a", "b");

    assertThatThrownBy(() -> table.row("1")).isInstanceOf(IllegalArgumentException.class);
  }
}
