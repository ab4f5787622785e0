package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.job.testing.Reports;
import dev.millrace.job.testing.TestModels;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, from its arguments to its files. */
class EvaluateCommandIT {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  private final CommandRun run = new CommandRun();
  private final StringWriter out = run.out;
  private final StringWriter err = run.err;

  @TempDir Path directory;

  @Test
  void measuresAModelOnDigits() throws Exception {
    ExampleShape shape = new ExampleShape(28 * 28, 10, Target.CLASSIFICATION);
    Path model =
        TestModels.write(TestModels.random("linear", shape), directory.resolve("model.zip"));

    int code = execute("--model", model.toString(), "--data", "digits:300,part=training");

    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(out.toString()).contains("Evaluated 300 examples", "accuracy 0.", "AUC 0.");
    JsonNode json =
        new JsonMapper().readTree(directory.resolve("work/evaluate/evaluation.json").toFile());
    assertThat(json.get("examples").asLong()).isEqualTo(300);
    assertThat(json.at("/data/part").asText()).isEqualTo("training");
    assertThat(json.get("classes")).hasSize(10);
    assertThat(directory.resolve("work/evaluate/evaluation.html")).content().contains("</html>");
  }

  @Test
  void makesAPageOfWhatACommandOrAClusterHasMeasured() throws Exception {
    Path measures = directory.resolve("measures.json");
    Files.writeString(measures, Reports.of(Target.CLASSIFICATION).toJson());
    Path page = directory.resolve("page.html");

    assertThat(execute("--result", "" + measures, "--page", "" + page)).isZero();

    assertThat(page).content().contains("model-2.300.zip", "topic:animals", "</html>");
    assertThat(execute("--result", "" + page)).isEqualTo(1);
    assertThat(err.toString()).contains("page.html can't be read: ").doesNotContain("\tat ");
    assertThat(execute("--result", "" + measures, "--data", "digits:10")).isEqualTo(2);
  }

  @Test
  void measuresARegressionOnATable() throws Exception {
    ExampleShape shape = new ExampleShape(2, 1, Target.REGRESSION);
    Path model =
        TestModels.write(TestModels.linear(shape, 2, -1, 0.5f), directory.resolve("model.zip"));
    List<String> rows = new ArrayList<>(List.of("a,b,y", "1,x,3"));
    for (int i = 0; i < 600; i++) {
      // Off by 1, up and down: a mean squared error of 1.
      rows.add("%s,%s,%s".formatted(i, i % 7, 2 * i - i % 7 + 0.5 + (i % 2 == 0 ? 1 : -1)));
    }
    Path table = Files.write(directory.resolve("table.csv"), rows);
    Path json = directory.resolve("reports/measures.json");

    int code =
        execute("--model", model.toString(), "--data", "csv:" + table, "--json", json.toString());

    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("Evaluated 600 examples", "RMSE 1.0000", "MAE 1.0000")
        .contains("Rejected:    1 of 601 records, the first at line 2: column 2 (b): expected");
    JsonNode measures = new JsonMapper().readTree(json.toFile());
    assertThat(measures.at("/outputs/0/meanSquaredError").asDouble()).isEqualTo(1);
    assertThat(measures.at("/outputs/0/r2").asDouble()).isBetween(0.99999, 0.999999);
  }

  @Test
  void failuresAreOneMessageAndLeaveNoFile() throws Exception {
    ExampleShape shape = new ExampleShape(2, 2, Target.CLASSIFICATION);
    Path model =
        TestModels.write(TestModels.random("linear", shape), directory.resolve("model.zip"));
    byte[] bytes = Files.readAllBytes(model);
    Path truncated =
        Files.write(directory.resolve("cut.zip"), Arrays.copyOf(bytes, bytes.length / 2));

    assertThat(execute("--model", truncated.toString(), "--data", "digits:10")).isEqualTo(1);
    assertThat(execute("--model", directory + "/absent.zip", "--data", "digits:10")).isEqualTo(2);
    assertThat(execute("--model", model.toString(), "--data", "digits:10")).isEqualTo(2);
    assertThat(
            execute("--model", model.toString(), "--data", "digits:10", "--json", "" + directory))
        .isEqualTo(2);

    assertThat(err.toString())
        .contains("cut.zip can't be read: it is cut off, or no zip archive")
        .contains("absent.zip'; there is no such file or directory")
        .contains("the data has 784 features and 10 outputs")
        .contains("it is a directory; name a file")
        .doesNotContain("\tat ");
    assertThat(directory.resolve("work/evaluate"))
        .isDirectoryNotContaining("glob:**evaluation.{json,html}");
  }

  private int execute(String... arguments) {
    List<String> all = new ArrayList<>(List.of("evaluate"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--work-dir", directory.resolve("work").toString()));
    return run.execute(all.toArray());
  }
}
