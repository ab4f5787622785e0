package dev.millrace.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.job.testing.Reports;
import dev.millrace.model.shape.Target;
import dev.millrace.watch.testing.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page of an evaluation in a real browser. Where the machine has no Chromium it is skipped. */
class ReportPageIT {

  @TempDir private static Path directory;
  private static Browser browser;

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

  @ParameterizedTest
  @EnumSource
  void itsChartsAreDrawn(Target target) throws Exception {
    Path file = directory.resolve(target + ".html");
    Files.writeString(file, new ReportPage(Reports.of(target)).write());

    browser.open(file.toUri().toString(), 400, 900);
    browser.awaitTrue(
        "document.querySelectorAll('figure.plot').length > 0"
            + " && document.querySelectorAll('figure.plot').length"
            + " === document.querySelectorAll('.chart canvas').length");

    assertThat(browser.evaluate("document.querySelector('.chart').getAttribute('aria-label')"))
        .asString()
        .contains("points");
    assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
        .isLessThanOrEqualTo(400);
    assertThat(browser.errors()).isEmpty();
  }
}
