package dev.millrace.cli.console;

import dev.millrace.job.options.ModelOptions;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;

/**
 * Gets an engine's libraries for those who train with it. By the script {@code engine} beside
 * {@code millrace}, which knows from where.
 */
public final class EngineFetch {

  private static final String SCRIPTS_PROPERTY = "millrace.scripts";

  private EngineFetch() {}

  /**
   * Does nothing where they are there, or where no script has started this process.
   *
   * @throws RunFailedException if they can't be had; the script has said why
   */
  public static void ensure(Configuration options) {
    ensure(options.get(ModelOptions.ENGINE));
  }

  /**
   * Sees to an engine by its name, as {@link #ensure(Configuration)} does.
   *
   * @throws RunFailedException if they can't be had; the script has said why
   */
  public static void ensure(String engine) {
    String scripts = System.getProperty(SCRIPTS_PROPERTY);
    if (scripts == null || ModelEngine.hasLibraries(engine)) {
      return;
    }
    Path script = Path.of(scripts, "engine");
    if (!Files.isExecutable(script)) {
      return;
    }
    try {
      Process process = new ProcessBuilder(script.toString(), engine).inheritIO().start();
      if (process.waitFor() != 0) {
        throw new RunFailedException(
            "The libraries of the engine %s aren't there, and can't be got".formatted(engine));
      }
    } catch (IOException e) {
      throw new RunFailedException("%s can't be run: %s".formatted(script, Reason.of(e)), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunFailedException("Interrupted while an engine's libraries were got", e);
    }
  }
}
