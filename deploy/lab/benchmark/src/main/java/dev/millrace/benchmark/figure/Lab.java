package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.stack.Checkout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What every benchmark is given.
 *
 * @param checkout that is measured
 * @param directory for what is only of use meanwhile
 * @param pages receives the results
 * @param repetitions of every measurement
 * @param scale of the length of each measurement; 1 is that of published figures
 * @param screen told of what goes on
 */
public record Lab(
    Checkout checkout,
    Path directory,
    Path pages,
    int repetitions,
    double scale,
    PrintWriter screen) {

  public Page page(String name, String title) throws IOException {
    return new Page(pages, name, title);
  }

  /** An empty directory of a name that hasn't been used. */
  public Path directory(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  public long scaled(long count) {
    return Math.max(1, Math.round(count * scale));
  }

  public void say(String line) {
    screen.println(line);
    screen.flush();
  }
}
