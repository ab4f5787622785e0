package dev.millrace.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.SharedFlink;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Pointer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every statement of the guide to SQL, of its rules, and of the example, one after the other.
 */
@ExtendWith(SharedFlink.class)
class SqlPageIT {

  private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

  private static final List<Path> PAGES =
      List.of(Path.of("../../docs/guides/sql.md"), Path.of("../../docs/internals/sql.md"));

  private static final String PAYMENTS =
      """
      [{"path": "amount", "kind": "number"},
       {"path": "country", "kind": "category", "buckets": 8},
       {"path": "at", "kind": "time", "parts": ["hour-of-day"]},
       {"path": "kind", "role": "label"}]
      """;

  @TempDir Path directory;

  @Test
  void everyStatementRuns() throws Exception {
    publish();
    Queries queries = Queries.open(directory, 1, 0);
    List<Row> results = new ArrayList<>();
    int queriesRun = 0;
    int inserted = 0;
    for (String statement : statements()) {
      if (statement.startsWith("SELECT")) {
        List<Row> rows = queries.rows(statement);
        assertThat(rows).as(statement).isNotEmpty();
        results.addAll(rows);
        queriesRun++;
      } else if (statement.startsWith("INSERT")) {
        queries.insert(statement);
        inserted++;
      } else if (statement.startsWith("SET")) {
        set(queries, statement);
      } else {
        queries.run(statement);
      }
    }

    assertThat(queriesRun).isEqualTo(5);
    assertThat(inserted).isEqualTo(2);
    assertThat(results.subList(0, 10))
        .allSatisfy(
            row -> {
              assertThat(row.getFieldAs("class").toString()).isIn("normal", "fraud");
              assertThat(row.getFieldAs("version").toString()).startsWith("0.");
            });
    assertThat(results.stream().filter(row -> row.getFieldNames(true).contains("plot")))
        .hasSize(10)
        .allSatisfy(
            row ->
                assertThat(row.getFieldAs("class").toString())
                    .isIn("setosa", "versicolor", "virginica"));
    assertThat(results.stream().filter(row -> row.getFieldNames(true).contains("price")))
        .hasSize(10)
        .allSatisfy(row -> assertThat(row.getField("price")).isInstanceOf(Double.class));
    // Its own options and columns, described and not derived.
    assertThat(
            queries
                .run(
                    "EXPLAIN INSERT INTO described_training SELECT amount, country, `time`, 'p', 1 FROM"
                        + " transfers")
                .collect()
                .next()
                .toString())
        .contains("described_training");
    // Models of topics aren't followed here, but are checked.
    assertThat(
            queries
                .run(
                    "EXPLAIN SELECT kind, `made by` FROM ML_PREDICT(TABLE examples, MODEL of_a_topic,"
                        + " DESCRIPTOR(features))")
                .collect()
                .next()
                .toString())
        .contains("MLPredict");
  }

  @Test
  void theExampleTrainsAndPredicts() throws Exception {
    Queries queries = Queries.open(directory, 1, 0);
    String example = Files.readString(Path.of("../../deploy/examples/sql/flowers.sql"));
    List<Row> results = new ArrayList<>();
    for (String statement : statements(example.replaceAll("(?m)^--.*\n", ""))) {
      if (statement.startsWith("SELECT")) {
        results.addAll(queries.rows(statement));
      } else if (statement.startsWith("INSERT")) {
        queries.insert(statement);
      } else if (!statement.startsWith("SET")) {
        queries.run(statement);
      }
    }

    // The last of the rows that change with each flower.
    Row last = results.get(results.size() - 1);
    assertThat(last.getFieldAs("flowers").toString()).isEqualTo("20000");
    assertThat(Double.parseDouble(last.getFieldAs("accuracy").toString())).isGreaterThan(0.9);
  }

  /** As Flink's client does. */
  private static void set(Queries queries, String statement) {
    String[] parts = statement.split("'", -1);
    queries.session().getConfig().set(parts[1], parts[3]);
  }

  private void publish() throws Exception {
    PublishedNetwork.of(new ExampleShape(2, 1, Target.REGRESSION))
        .publish(directory.resolve("prices"), Map.of());
    PublishedNetwork.of(
            InputOptions.shape(
                OptionReader.configuration(
                    Map.of(
                        "input.format", "json",
                        "input.fields", PAYMENTS,
                        "input.classes", "normal;fraud",
                        "input.topics", "t"))))
        .publish(directory.resolve("payments"), Map.of());
    // As training does when a checkpoint covers the model.
    Files.copy(
        directory.resolve("payments").resolve(Pointer.LATEST),
        directory.resolve("payments").resolve(Pointer.COMMITTED));
  }

  private List<String> statements() throws IOException {
    StringBuilder blocks = new StringBuilder();
    for (Path page : PAGES) {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        blocks.append(block.group(1));
      }
    }
    return statements(blocks.toString());
  }

  private List<String> statements(String text) throws IOException {
    Path jar = directory.resolve("empty.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream empty = new JarOutputStream(out)) {
      empty.finish();
    }
    List<String> statements = new ArrayList<>();
    for (String statement : text.split(";\\s*\n", -1)) {
      if (!statement.isBlank()) {
        statements.add(
            statement
                .strip()
                .replace("/mnt/models", directory.toString())
                .replace("/opt/millrace/sql/flink-sql-connector-millrace.jar", jar.toString()));
      }
    }
    return statements;
  }
}
