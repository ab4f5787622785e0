package dev.millrace.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configuration and alert rules, judged by Prometheus' own tool. */
class MonitoringRulesIT {

  @TempDir private Path directory;

  private Optional<Program> promtool;

  @BeforeEach
  void find() {
    promtool = Program.find("promtool");
    assumeTrue(promtool.isPresent(), "There is no promtool on the PATH");
  }

  @Test
  void configurationAndRulesAreValid() throws Exception {
    run("check", "config", Monitoring.PROMETHEUS.resolve("prometheus.yml").toString());
  }

  @Test
  void eachAlertFiresWhenItShouldAndNotOtherwise() throws Exception {
    run("test", "rules", "src/test/resources/alerts-test.yml");
  }

  private void run(String... arguments) throws Exception {
    Program.Result result = promtool.orElseThrow().run(directory.resolve("output"), arguments);

    assertThat(result.status()).as(result.output()).isZero();
  }
}
