package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How a release begins, with stand-ins for Git and Maven. */
@DisabledOnOs(OS.WINDOWS)
class ReleaseScriptTest {

  @TempDir Path directory;

  @Test
  void theSourcesHaveItsVersionWhereverTheCheckoutLies() throws Exception {
    Path checkout = directory.resolve("a checkout");
    Path script = Files.createDirectories(checkout.resolve("deploy/release")).resolve("run");
    Files.copy(DeployFiles.DEPLOY.resolve("release/run"), script);
    Files.writeString(
        checkout.resolve("pom.xml"),
        "<artifactId>millrace</artifactId>\n<version>0.1.0-SNAPSHOT</version>\n");
    Path built = directory.resolve("pom-that-is-built.xml");
    program("git", "[ \"$3\" != archive ] || tar -c -C \"$2\" pom.xml");
    program("mvn", "cp \"$5\" '%s'; exit 1".formatted(built));

    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString(), "0.2.0").redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", directory.toString(), (path, own) -> own + File.pathSeparator + path);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(built).as(output).content().contains("<version>0.2.0</version>");
  }

  private void program(String name, String body) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
