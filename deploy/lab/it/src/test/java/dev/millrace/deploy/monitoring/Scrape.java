package dev.millrace.deploy.monitoring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** What one scrape gave, in Prometheus' text format. */
record Scrape(String text) {

  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(\\{.*})? (\\S+)$");
  private static final Pattern OWN =
      Pattern.compile("flink_taskmanager_job_task_operator_millrace_(\\w+)");

  static Scrape of(String target) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + target + "/metrics")).build();
    return new Scrape(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
  }

  /** Names of all samples. */
  Set<String> names() {
    return SAMPLE
        .matcher(text)
        .results()
        .map(sample -> sample.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names of Millrace's own metrics, as the job registers them. */
  Set<String> ownNames() {
    Set<String> own = new TreeSet<>();
    for (String name : names()) {
      Matcher matcher = OWN.matcher(name);
      if (matcher.matches() && !isCountOfSummary(name)) {
        own.add(matcher.group(1));
      }
    }
    return own;
  }

  /** The greatest value of all samples of that name; NaN if there is none. */
  double greatest(String name) {
    return samples(name).max().orElse(Double.NaN);
  }

  /** The sum of all samples of that name, which each are a subtask's. */
  double sum(String name) {
    return samples(name).sum();
  }

  private DoubleStream samples(String name) {
    return SAMPLE
        .matcher(text)
        .results()
        .filter(sample -> sample.group(1).equals(name))
        .mapToDouble(sample -> Double.parseDouble(sample.group(3)))
        .filter(value -> !Double.isNaN(value));
  }

  /** A histogram is a summary to Prometheus, which has a second name for its count. */
  private boolean isCountOfSummary(String name) {
    String histogram = name.replaceFirst("_count$", "");
    return !histogram.equals(name) && text.contains("# TYPE " + histogram + " summary");
  }
}
