package dev.millrace.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.monitoring.Monitoring.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MonitoringFilesTest {

  private static final int GRID_WIDTH = 24;
  private static final Pattern JOB_MATCHER = Pattern.compile("job=\"(\\w+)\"");
  private static final Pattern HISTOGRAM_COUNT = Pattern.compile("_count$");

  private record Place(String panel, int x, int y, int width, int height) {

    static Place of(JsonNode panel) {
      JsonNode grid = panel.path("gridPos");
      return new Place(
          panel.path("title").asText(),
          grid.path("x").asInt(-1),
          grid.path("y").asInt(-1),
          grid.path("w").asInt(),
          grid.path("h").asInt());
    }

    boolean overlaps(Place other) {
      return x < other.x + other.width
          && other.x < x + width
          && y < other.y + other.height
          && other.y < y + height;
    }
  }

  @Test
  void queriesAskForMetricsOfFlinkAndDocumentedOnesOnly() throws IOException {
    Set<String> documented = Monitoring.documented();
    assertThat(documented).isNotEmpty();
    for (Query query : Monitoring.allQueries()) {
      assertThat(query.metrics()).as(query.where()).isNotEmpty();
      for (String metric : query.metrics()) {
        assertThat(metric).as(query.where()).matches("flink_\\w+|up");
        if (metric.startsWith(Monitoring.OWN)) {
          String name = metric.substring(Monitoring.OWN.length());
          assertThat(HISTOGRAM_COUNT.matcher(name).replaceFirst(""))
              .as("metric of %s", query.where())
              .isIn(documented);
        }
      }
    }
  }

  @Test
  void panelsSayWhatTheyShow() throws IOException {
    for (JsonNode dashboard : Monitoring.dashboards()) {
      assertThat(dashboard.path("uid").asText()).isNotEmpty();
      for (JsonNode panel : dashboard.path("panels")) {
        String title = panel.path("title").asText();
        assertThat(title).isNotEmpty();
        if (!isRow(panel)) {
          assertThat(panel.path("description").asText()).as("what '%s' is", title).isNotEmpty();
          assertThat(panel.at("/fieldConfig/defaults/unit").asText())
              .as("unit of '%s'", title)
              .isNotEmpty();
          assertThat(panel.at("/datasource/uid").asText())
              .as("data source of '%s'", title)
              .isEqualTo("${datasource}");
          assertThat(panel.path("type").asText())
              .as("type of '%s'", title)
              .isIn("timeseries", "stat");
          assertThat(panel.path("targets")).as("queries of '%s'", title).isNotEmpty();
        }
      }
    }
  }

  @Test
  void everyVariableOfAQueryIsDeclared() throws IOException {
    for (JsonNode dashboard : Monitoring.dashboards()) {
      List<String> declared = dashboard.at("/templating/list").findValuesAsText("name");
      assertThat(declared).containsExactlyInAnyOrder("datasource", "job");
      for (Query query : Monitoring.panelQueries()) {
        assertThat(query.expression().replace("$job", "").replace("$__rate_interval", ""))
            .as(query.where())
            .doesNotContain("$");
      }
    }
  }

  @Test
  void panelsHaveTheirOwnNumbersAndPlaces() throws IOException {
    for (JsonNode dashboard : Monitoring.dashboards()) {
      Set<Integer> ids = new HashSet<>();
      List<Place> places = new ArrayList<>();
      for (JsonNode panel : dashboard.path("panels")) {
        Place place = Place.of(panel);
        assertThat(ids.add(panel.path("id").asInt())).as("own id of '%s'", place.panel()).isTrue();
        assertThat(place.x()).as("x of '%s'", place.panel()).isNotNegative();
        assertThat(place.y()).as("y of '%s'", place.panel()).isNotNegative();
        assertThat(place.width()).as("width of '%s'", place.panel()).isPositive();
        assertThat(place.height()).as("height of '%s'", place.panel()).isPositive();
        assertThat(place.x() + place.width())
            .as("'%s'", place.panel())
            .isLessThanOrEqualTo(GRID_WIDTH);
        assertThat(places).as("'%s'", place.panel()).noneMatch(place::overlaps);
        places.add(place);
      }
    }
  }

  @Test
  void alertsSayWhatIsWrongAndWhatToDo() throws IOException {
    Set<String> names = new HashSet<>();
    for (JsonNode alert : Monitoring.alerts()) {
      String name = alert.path("alert").asText();
      assertThat(name).startsWith("Millrace");
      assertThat(names.add(name)).as("one alert %s", name).isTrue();
      assertThat(alert.at("/annotations/summary").asText()).as(name).isNotEmpty();
      assertThat(alert.at("/annotations/description").asText()).as(name).isNotEmpty();
      assertThat(alert.at("/labels/severity").asText()).as(name).isIn("warning", "critical");
    }
  }

  @Test
  void everyAlertIsTested() throws IOException {
    String tests = Files.readString(Path.of("src", "test", "resources", "alerts-test.yml"));
    for (Query alert : Monitoring.alertQueries()) {
      assertThat(tests).contains("\"" + alert.where() + "\"");
    }
  }

  @Test
  void alertsAndPrometheusCallTheTargetsTheSame() throws IOException {
    List<String> configured =
        Monitoring.prometheusConfiguration().path("scrape_configs").findValuesAsText("job_name");
    for (Query alert : Monitoring.alertQueries()) {
      JOB_MATCHER
          .matcher(alert.expression())
          .results()
          .forEach(job -> assertThat(configured).as(alert.where()).contains(job.group(1)));
    }
  }

  private static boolean isRow(JsonNode panel) {
    return panel.path("type").asText().equals("row");
  }
}
