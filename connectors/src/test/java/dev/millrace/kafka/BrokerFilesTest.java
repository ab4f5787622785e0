package dev.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.local.broker.LocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerFilesTest {

  @TempDir Path directory;

  @Test
  void temporaryFilesLieInTheBrokersOwnDirectory() throws IOException {
    Path broker = directory.resolve("broker");
    Path left = Files.createDirectories(broker.resolve("tmp")).resolve("libzstd-jni.so");
    Files.createFile(left);

    assertThat(LocalBroker.detachedCommand("broker.jar", broker, 9092))
        .contains("-Djava.io.tmpdir=" + broker.resolve("tmp"));
    assertThat(left).as("what a broker left that was killed").doesNotExist();
    assertThat(left.getParent()).exists();
  }
}
