package dev.millrace.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {

  @TempDir Path home;

  @Test
  void theBrokerIsPartOfTheDistribution() throws IOException {
    Path jars = Files.createDirectories(home.resolve("opt/broker"));

    assertThat(new Installation(home, "flink.jar").brokerClassPath()).isEqualTo(jars + "/*");
  }

  @Test
  void whereItIsMissingTheMessageSaysWhatToDo() {
    assertThatThrownBy(() -> new Installation(home, "flink.jar").brokerClassPath())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(home.resolve("opt/broker").toString())
        .hasMessageContaining("take a broker of your own");
  }
}
