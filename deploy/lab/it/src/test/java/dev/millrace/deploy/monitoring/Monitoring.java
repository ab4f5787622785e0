package dev.millrace.deploy.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The monitoring that deploy ships, and what the documents say of it. */
final class Monitoring {

  static final Path PROMETHEUS = Path.of("..", "..", "monitoring", "prometheus");

  /** Prefix of Millrace's own metrics, as Prometheus sees them. */
  static final String OWN = "flink_taskmanager_job_task_operator_millrace_";

  private static final Path DASHBOARDS = Path.of("..", "..", "monitoring", "grafana", "dashboards");
  private static final Path METRICS = Path.of("..", "..", "..", "docs", "reference", "metrics.md");
  private static final Pattern DOCUMENTED_ROW = Pattern.compile("(?m)^- (`[^:]*`):");
  private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");
  private static final Pattern VARIABLE_QUERY = Pattern.compile("label_values\\((\\w+),.*\\)");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** One query of a dashboard or an alert. */
  record Query(String where, String expression) {

    Set<String> metrics() {
      return PromQl.metrics(expression);
    }
  }

  private Monitoring() {}

  static List<JsonNode> dashboards() throws IOException {
    List<JsonNode> dashboards = new ArrayList<>();
    try (Stream<Path> files = Files.list(DASHBOARDS)) {
      for (Path file : files.sorted().toList()) {
        dashboards.add(JSON.readTree(file.toFile()));
      }
    }
    return dashboards;
  }

  static List<Query> panelQueries() throws IOException {
    List<Query> queries = new ArrayList<>();
    for (JsonNode dashboard : dashboards()) {
      for (JsonNode panel : dashboard.path("panels")) {
        for (JsonNode target : panel.path("targets")) {
          queries.add(
              new Query(
                  "panel '%s', %s"
                      .formatted(panel.path("title").asText(), target.path("refId").asText()),
                  target.path("expr").asText()));
        }
      }
    }
    return queries;
  }

  static List<JsonNode> alerts() throws IOException {
    List<JsonNode> alerts = new ArrayList<>();
    for (JsonNode group : YAML.readTree(PROMETHEUS.resolve("alerts.yml").toFile()).path("groups")) {
      group.path("rules").forEach(alerts::add);
    }
    return alerts;
  }

  static List<Query> alertQueries() throws IOException {
    return alerts().stream()
        .map(alert -> new Query(alert.path("alert").asText(), alert.path("expr").asText()))
        .toList();
  }

  /** Those of panels, alerts and dashboards' variables. */
  static List<Query> allQueries() throws IOException {
    List<Query> queries = new ArrayList<>(panelQueries());
    queries.addAll(alertQueries());
    for (JsonNode dashboard : dashboards()) {
      for (JsonNode variable : dashboard.path("templating").path("list")) {
        VARIABLE_QUERY
            .matcher(variable.path("query").asText())
            .results()
            .forEach(query -> queries.add(new Query("a variable", query.group(1))));
      }
    }
    return queries;
  }

  static JsonNode prometheusConfiguration() throws IOException {
    return YAML.readTree(PROMETHEUS.resolve("prometheus.yml").toFile());
  }

  /** Millrace's own metrics, as docs/reference/metrics.md names them. */
  static Set<String> documented() throws IOException {
    String page = Files.readString(METRICS);
    int start = page.indexOf("## Flink metrics");
    String section = page.substring(start, page.indexOf("\n## ", start));
    Set<String> names = new TreeSet<>();
    for (MatchResult row : DOCUMENTED_ROW.matcher(section).results().toList()) {
      QUOTED.matcher(row.group(1)).results().forEach(name -> names.add(name.group(1)));
    }
    return names;
  }
}
