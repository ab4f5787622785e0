package dev.millrace.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.watch.testing.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser. Where the machine has no Chromium it is skipped. */
class PageIT {

  private static final String DRAWN =
      "document.querySelectorAll('canvas').length >= 2 && page.runs.size > 0 && page.drawn";
  private static final String FIRST_TILE = "document.querySelector('.tiles dd').textContent";

  @TempDir private static Path directory;
  private static Browser browser;

  private final History history = new History();

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> program = Browser.program();
    assumeTrue(program.isPresent(), "There is no chromium on the PATH");
    browser = Browser.start(program.get(), directory);
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.end();
    }
  }

  @Test
  void theServedPageFollowsTheJobAndShowsNamesAsText() throws Exception {
    List<ObjectNode> records = SimulatedRecords.of(400, 1, 0, new Random(1));
    history.add("orders", records.subList(0, records.size() / 2));
    try (WatchServer server = WatchServer.start(history, "127.0.0.1", 0, Optional.empty())) {
      browser.open(server.address().toString(), 1280, 900);
      browser.awaitTrue(DRAWN);
      String before = browser.evaluate(FIRST_TILE).asText();
      double points = points();

      history.add("orders", records.subList(records.size() / 2, records.size()));

      browser.awaitTrue(FIRST_TILE + " === '304,000'");
      assertThat(before).isNotEqualTo("304,000");
      assertThat(points()).isGreaterThan(points);
      // What the restart has undone is no longer there.
      assertThat(
              browser
                  .evaluate(
                      "page.sections[0].body.kept.chart.plot.data[0].every((x, i, all) => i === 0"
                          + " || x > all[i - 1])")
                  .asBoolean())
          .isTrue();
      assertThat(text("learning"))
          .contains("drift", "found by " + SimulatedRecords.HOSTILE)
          .contains("restart", "generation 0 to 1, on after 8 s")
          .contains("Accuracy", "Confusion matrix", "Calibration", "Recall by class");
      assertThat(text("system"))
          .contains("Throughput", "replica 7", "process 1@" + SimulatedRecords.HOSTILE)
          .contains("All the time: ", "members 8");
      assertThat(text("layers"))
          .contains("Histograms of", "updates " + SimulatedRecords.HOSTILE)
          .contains(
              "Embedding tables", SimulatedRecords.HOSTILE + "\t-1532057335401747185\t12,345");
      assertThat(text("models"))
          .contains("37\tlabel … is out of range\t" + SimulatedRecords.HOSTILE + "\torders-3 at 9")
          .contains("held back: accuracy 0.7, served 0.8")
          .contains("The job began with " + SimulatedRecords.HOSTILE + ", version 3.5")
          .contains("In checkpoint 380");
      assertThat(text("options")).contains("batch.size\t32\tgiven", "drift.confidence\t0\tdefault");
      assertThat(browser.evaluate("String(window.hacked)").asText()).isEqualTo("undefined");
      assertThat(browser.evaluate("document.querySelectorAll('img').length").asInt()).isZero();
      assertThat(browser.errors()).isEmpty();
    }
  }

  /** What is near a border doesn't read as something else. */
  @Test
  void numbersReadAsWhatTheyAre() throws Exception {
    openSmall();

    assertThat(texts("[99.96, 0.9999, 12.5, 100, 0.0005].map(format.number)"))
        .containsExactly("100", "1", "12.5", "100", "5.00e-4");
    assertThat(texts("[0.99996, 1, 0.5, 0].map(format.share)"))
        .containsExactly("> 0.999", "1.000", "0.500", "0.000");
    assertThat(texts("[500, 5000, 10000].map(format.short)")).containsExactly("500", "5 k", "10 k");
  }

  @Test
  void whatIsFoundOfOneDriftIsOneEvent() throws Exception {
    openSmall();

    assertThat(
            texts(
                "(() => { const run = new Run('a'); [1000, 1010, 2900, 9000].forEach((examples, i)"
                    + " => run.add({type: 'drift', time: i, examples, detector: 'adwin', reacted: i"
                    + " % 3 === 0})); return [events(run).length, run.marks('examples').length,"
                    + " events(run)[1][2]]; })()"))
        .containsExactly("2", "2", "found by adwin at 1,000 to 2,900 examples, 3 times");
  }

  @Test
  void aSeriesIsSwitchedOffAndAChartIsSaved() throws Exception {
    openSmall();
    String chart = "page.sections.find(s => s.title === 'Loss').body.kept.chart";

    browser.evaluate(chart + ".element.querySelector('.legend button').click()");

    assertThat(browser.evaluate(chart + ".plot.series.length").asInt()).isEqualTo(1);
    browser.evaluate(chart + ".element.querySelector('.legend button').click()");
    assertThat(browser.evaluate(chart + ".plot.series.length").asInt()).isEqualTo(2);
    browser.evaluate(chart + ".element.querySelector('.tools button').click()");
    assertThat(browser.evaluate(chart + ".plot.scales.y.distr").asInt()).isEqualTo(3);
    assertThat(
            browser.evaluate(
                "toCsv('x', [{name: 'a,b', points: [[1, 2], [3, 4]]}, {name: 'c', points: [[3,"
                    + " 5]]}])"))
        .hasToString("\"x,\\\"a,b\\\",c\\n1,2,\\n3,4,5\\n\"");
    assertThat(texts("smooth([[0, 1], [1, 0], [2, 0]], 0.5).map(p => p[1].toFixed(3))"))
        .containsExactly("1.000", "0.333", "0.143");
    assertThat(browser.errors()).isEmpty();
  }

  private void openSmall() throws Exception {
    history.add("orders", SimulatedRecords.of(10, 1, 0, new Random(1)));
    Path file = directory.resolve("small.html");
    StaticPage.write(history, file);
    browser.open(file.toUri().toString(), 1280, 900);
    browser.awaitTrue(DRAWN);
  }

  private static List<String> texts(String expression) throws Exception {
    return StreamSupport.stream(browser.evaluate(expression).spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  /** What CVE-2024-21489 of uPlot does, tried on the page: nothing changes all objects. */
  @Test
  void noOptionOfACurveChangesAllObjects() throws Exception {
    history.add("orders", SimulatedRecords.of(10, 1, 0, new Random(1)));
    try (WatchServer server = WatchServer.start(history, "127.0.0.1", 0, Optional.empty())) {
      browser.open(server.address().toString(), 1280, 900);
      browser.awaitTrue(DRAWN);

      browser.evaluate(
          "{ try { uPlot.assign({}, JSON.parse('{\"__proto__\": {\"polluted\": 1}}')); } catch (e)"
              + " {} }");

      assertThat(browser.evaluate("String(({}).polluted)").asText()).isEqualTo("undefined");
    }
  }

  /** What a page that is open for days has too many of it loads again, thinned. */
  @Test
  void aPageThatIsOpenForLongKeepsItsMemory() throws Exception {
    List<ObjectNode> records = SimulatedRecords.of(8_000, 1, 0, new Random(1));
    history.add("orders", records.subList(0, 10));
    try (WatchServer server = WatchServer.start(history, "127.0.0.1", 0, Optional.empty())) {
      browser.open(server.address().toString(), 1280, 900);
      browser.awaitTrue("page.runs.size > 0 && page.live");

      for (int i = 10; i < records.size(); i += 200) {
        history.add("orders", records.subList(i, Math.min(records.size(), i + 200)));
      }

      browser.awaitTrue(FIRST_TILE + " === '6,384,000'");
      browser.awaitTrue("[...page.runs.values()][0].of('progress').length < 6000");
      assertThat(browser.evaluate("[...page.runs.values()][0].of('progress').length").asInt())
          .isGreaterThan(1_000);
      assertThat(browser.errors()).isEmpty();
    }
  }

  /** Of a tab of the page. */
  private static String text(String tab) throws Exception {
    browser.evaluate("page.drawn = false; location.hash = '" + tab + "'");
    browser.awaitTrue("page.drawn && page.tab === '" + tab + "'");
    return browser.evaluate("document.body.innerText").asText();
  }

  /** Of the curve of accuracy. */
  private static double points() throws Exception {
    return browser.evaluate("page.sections[0].body.kept.chart.plot.data[0].length").asDouble();
  }

  /** 30 days of 8 replicas, in a file that needs no server. */
  @Test
  void aMonthOpensAtOnceAndFitsANarrowScreen() throws Exception {
    SimulatedRecords.each(
        30 * 24 * 60, 60, 0, new Random(1), record -> history.add("month", List.of(record)));
    Path file = directory.resolve("month.html");
    StaticPage.write(history, file);

    long begun = System.nanoTime();
    browser.open(file.toUri().toString(), 400, 800);
    browser.awaitTrue(DRAWN);
    System.out.printf(
        "A month, %,d bytes, opens in %,d ms%n",
        Files.size(file), (System.nanoTime() - begun) / 1_000_000);

    assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
        .isLessThanOrEqualTo(400);
    assertThat(browser.evaluate("document.getElementById('state').textContent").asText())
        .startsWith("as it ended");
    assertThat(browser.errors()).isEmpty();
  }

  /** A job that goes on with other replicas, and one of an older release, which tells less. */
  @Test
  void aRescaleIsMarkedAndOlderRecordsAreShown() throws Exception {
    history.add("job", SimulatedRecords.of(50, 1, 0, new Random(1)));
    history.add("job", List.of(SimulatedRecords.run(90_000, 2, 50, true, 0).put("replicas", 4)));
    history.add(
        "job",
        List.of(SimulatedRecords.record("progress", 91_000, 2, 51).put("examples", 800 * 31)));
    Path file = directory.resolve("rescaled.html");
    StaticPage.write(history, file);

    browser.open(file.toUri().toString(), 1280, 900);
    browser.awaitTrue(DRAWN);

    assertThat(browser.evaluate("document.body.innerText").asText())
        .contains("rescale\tgeneration 1 to 2, 8 replicas to 4, submitted anew, on after 34 s");

    History older = new History();
    older.add("old", List.of(progress(1_000, 0, 1), progress(2_000, 0, 2), progress(9_000, 1, 3)));
    StaticPage.write(older, file);
    browser.open(file.toUri().toString(), 1280, 900);
    browser.awaitTrue("document.querySelectorAll('canvas').length > 0");

    assertThat(browser.evaluate("document.body.innerText").asText())
        .contains("restart\tgeneration 0 to 1, on after 7 s");
    assertThat(browser.errors()).isEmpty();
  }

  private static ObjectNode progress(long time, long generation, long round) {
    return SimulatedRecords.record("progress", time, generation, round)
        .put("examples", 100 * round)
        .put("members", 2)
        .put("window_accuracy", 0.5);
  }

  @Test
  void measuresOfTwoClassesAreShownWhereThereAreSome() throws Exception {
    for (int round = 1; round <= 3; round++) {
      history.add(
          "clicks",
          List.of(
              progress(1_000L * round, 0, round)
                  .put("window_auc", 0.75 + 0.001 * round)
                  .put("window_normalizedEntropy", 0.9 - 0.01 * round)
                  .put("window_calibrationRatio", 1.25)));
    }
    ObjectNode snapshot = SimulatedRecords.record("snapshot", 4_000, 0, 3);
    snapshot.putObject("holdOut").put("accuracy", 0.99).put("loss", 0.05).put("auc", 0.812);
    history.add("clicks", List.of(snapshot.put("model", "m.zip").put("state", "fresh")));
    Path file = directory.resolve("clicks.html");
    StaticPage.write(history, file);

    browser.open(file.toUri().toString(), 1280, 900);
    browser.awaitTrue(DRAWN);

    assertThat(text("learning"))
        .contains("AUC, latest", "0.753", "Two classes")
        .contains("All the time: calibration ratio 1.25");
    assertThat(
            browser
                .evaluate("page.sections.find(s => s.title === 'Two classes').body.kept.shown")
                .asText())
        .isEqualTo("normalized entropy");
    assertThat(text("models")).contains("accuracy 0.990, loss 0.05, AUC 0.812");

    openSmall();
    assertThat(text("learning"))
        .contains("AUC: It takes two classes.")
        .doesNotContain("AUC, latest");
    assertThat(browser.errors()).isEmpty();
  }

  @Test
  void jobsAreCompared() throws Exception {
    history.add("one", SimulatedRecords.of(100, 1, 0, new Random(1)));
    history.add("one", options("32"));
    history.add("other", SimulatedRecords.of(100, 1, 0, new Random(2)));
    history.add("other", options("64"));
    Path file = directory.resolve("two.html");
    StaticPage.write(history, file);

    browser.open(file.toUri().toString(), 1280, 900);
    browser.awaitTrue(DRAWN);

    assertThat(text("compare"))
        .contains("Compare runs", "loss", "time from round to round", "batch.size\t32\t64");
    assertThat(browser.errors()).isEmpty();
  }

  private static List<ObjectNode> options(String size) {
    ObjectNode record = SimulatedRecords.run(200_000, 1, 1, true, 0);
    record.putObject("options").put("batch.size", size).put("model.name", "mlp");
    return List.of(record);
  }
}
