package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.watch.FileWatch;
import dev.millrace.watch.History;
import dev.millrace.watch.WatchServer;
import dev.millrace.watch.testing.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The live page of a job, in a browser. Where the machine has none it shows nothing. */
final class RunPage implements AutoCloseable {

  private final FileWatch records;
  private final WatchServer server;
  private final Optional<Browser> browser;

  /** Of the job that writes these metric records. {@code directory} is the browser's. */
  RunPage(Path metrics, Path directory) throws Exception {
    History history = new History();
    records = FileWatch.start(metrics, history);
    server = WatchServer.start(history, "127.0.0.1", 0, Optional.empty());
    Optional<Path> program = Browser.program();
    if (program.isPresent()) {
      browser = Optional.of(Browser.start(program.get(), Files.createDirectories(directory)));
      browser.get().open(server.address().toString(), 1280, 900);
    } else {
      browser = Optional.empty();
      System.out.println("There is no chromium on the PATH: the live page isn't looked at");
    }
  }

  /** Waits until curves show more examples than {@code before}. */
  long awaitMoreExamples(long before) throws Exception {
    if (browser.isEmpty()) {
      return 0;
    }
    String newest = "[...page.runs.values()][0]?.latest('progress')?.examples";
    browser
        .get()
        .awaitTrue(
            "%s > %s && document.querySelectorAll('canvas').length > 0".formatted(newest, before));
    return browser.get().evaluate(newest).asLong();
  }

  /** Waits until so many restarts are marked, each with the time that it took. */
  void awaitRestarts(int count) {
    browser.ifPresent(
        shown ->
            shown.awaitTrue(
                "[...page.runs.values()][0].restarts.filter(r => r.took > 0).length >= %s && document.body.innerText.split('\\trestart\\t').length > %s"
                    .formatted(count, count)));
  }

  void requireNoErrors() {
    browser.ifPresent(shown -> assertThat(shown.errors()).isEmpty());
  }

  @Override
  public void close() throws IOException {
    try {
      if (browser.isPresent()) {
        browser.get().end();
      }
    } catch (Exception e) {
      throw new IOException("The browser doesn't end", e);
    } finally {
      server.close();
      records.close();
    }
  }
}
