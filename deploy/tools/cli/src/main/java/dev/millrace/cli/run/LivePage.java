package dev.millrace.cli.run;

import dev.millrace.cli.console.PageArguments;
import dev.millrace.cli.console.Screen;
import dev.millrace.watch.FileWatch;
import dev.millrace.watch.History;
import dev.millrace.watch.StaticPage;
import dev.millrace.watch.WatchServer;
import java.awt.Desktop;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The live page of a job on this machine, and what stays of it. */
public final class LivePage implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LivePage.class);
  private static final String LOOPBACK = "127.0.0.1";

  private final History history = new History();
  private final FileWatch watch;
  private final WatchServer serverOrNull;
  private boolean isRead;

  /**
   * Begins.
   *
   * @param metrics the job's file, which need not be there yet
   */
  public LivePage(PageArguments arguments, Path metrics, Screen screen) throws IOException {
    this.watch = FileWatch.start(metrics, history);
    this.serverOrNull = arguments.isOff() ? null : serve(arguments.port());
    if (serverOrNull != null) {
      screen.say("Live page:      " + serverOrNull.address());
      if (arguments.opens()) {
        open(serverOrNull.address());
      }
    }
  }

  private WatchServer serve(int port) throws IOException {
    try {
      return WatchServer.start(history, LOOPBACK, port, Optional.empty());
    } catch (IOException e) {
      watch.close();
      throw e;
    }
  }

  /** A machine without a browser is no failure of a run. */
  public static void open(URI address) {
    try {
      if (Desktop.isDesktopSupported() && Desktop.getDesktop().isSupported(Desktop.Action.BROWSE)) {
        Desktop.getDesktop().browse(address);
        return;
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.info("No browser can be opened", e);
    }
    LOG.warn("This machine has no browser that can be opened; open {} yourself", address);
  }

  /** Leaves the page as one file that needs no server, with all that the job has told. */
  public void keep(Screen screen, Path file) throws IOException {
    readAll();
    StaticPage.write(history, file);
    screen.say("Page:        " + file);
  }

  private void readAll() {
    if (!isRead) {
      isRead = true;
      watch.close();
    }
  }

  @Override
  public void close() {
    readAll();
    if (serverOrNull != null) {
      serverOrNull.close();
    }
  }
}
