package dev.millrace.watch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** The files of the page. */
final class Assets {

  private static final String PLOT = "uPlot.";

  /** The scripts in the order in which the page names them. */
  static final List<String> SCRIPTS =
      List.of(
          "uPlot.iife.min.js",
          "dom.js",
          "format.js",
          "records.js",
          "marks.js",
          "export.js",
          "chart.js",
          "sections.js",
          "learning.js",
          "system.js",
          "layers.js",
          "rows.js",
          "job.js",
          "compare.js",
          "main.js");

  static final List<String> STYLES = List.of("uPlot.min.css", "page.css");

  /** The script of pages that are no live page. */
  static final String REPORT = "report.js";

  private Assets() {}

  /** One of the scripts and styles; empty where it is none. */
  static Optional<byte[]> find(String name) {
    return SCRIPTS.contains(name) || STYLES.contains(name) || name.equals(REPORT)
        ? Optional.of(read(name))
        : Optional.empty();
  }

  static byte[] page() {
    return read("index.html");
  }

  private static byte[] read(String name) {
    String path = name.startsWith(PLOT) ? plot(name) : "/dev/millrace/watch/page/" + name;
    try (InputStream in = Assets.class.getResourceAsStream(path)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a file of uPlot out of its WebJar, whose paths have the version. */
  private static String plot(String name) {
    try (InputStream in =
        Assets.class.getResourceAsStream("/META-INF/maven/org.webjars.npm/uplot/pom.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return "/META-INF/resources/webjars/uplot/%s/dist/%s"
          .formatted(properties.getProperty("version"), name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
