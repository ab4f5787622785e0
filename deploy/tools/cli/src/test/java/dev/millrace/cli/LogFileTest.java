package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.RollingFileAppender;
import org.apache.logging.log4j.core.appender.rolling.DefaultRolloverStrategy;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.properties.PropertiesConfigurationFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs run for months, and their logs must not fill the disk. */
class LogFileTest {

  private static final long MEGABYTE = 1 << 20;
  private static final String KILOBYTE = "x".repeat(1_024);

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"log4j2.properties, millrace.log, 20", "flink/log4j.properties, log.file, 100"})
  void aLogIsBounded(String configuration, String property, int megabytes) throws IOException {
    System.setProperty(property, directory.resolve("a.log").toString());
    try (LoggerContext context = started(configuration)) {
      Logger log = context.getLogger("org.apache.flink.Some");
      for (int i = 0; i <= megabytes * 1_024; i++) {
        log.info(KILOBYTE);
      }
      RollingFileAppender appender = context.getConfiguration().getAppender("file");
      DefaultRolloverStrategy strategy =
          (DefaultRolloverStrategy) appender.getManager().getRolloverStrategy();
      assertThat(strategy.getMaxIndex()).isEqualTo(5);
    }

    assertThat(files()).hasSize(2);
    for (Path log : files()) {
      assertThat(Files.size(log)).isLessThan((megabytes + 1) * MEGABYTE);
    }
  }

  /** A page that stands still says why. */
  @ParameterizedTest
  @ValueSource(
      strings = {"dev.millrace.watch.FileWatch", "dev.millrace.cli.run.TopicWatch", "dev.millrace"})
  void commandsWithoutALogWarnOnTheScreen(String logger) throws IOException {
    try (LoggerContext context = started("log4j2-screen.properties")) {
      assertThat(context.getLogger(logger).isWarnEnabled()).isTrue();
      assertThat(context.getLogger("dev.millrace.cli").isErrorEnabled()).isFalse();
    }
  }

  private static LoggerContext started(String configuration) throws IOException {
    Path file = Path.of("..", "..", "conf").resolve(configuration);
    LoggerContext context = new LoggerContext(configuration);
    context.start(
        new PropertiesConfigurationFactory()
            .getConfiguration(
                context, new ConfigurationSource(Files.newInputStream(file), file.toFile())));
    return context;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
