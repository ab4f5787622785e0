package dev.millrace.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.RestoredProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

@DisabledOnOs(OS.WINDOWS)
class ClusterPlaceTest {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @Test
  void aJobIsSubmittedToTheClusterOfTheWorkDirectory() {
    installedIn("/opt/millrace");
    String flink =
        "/opt/millrace/bin/flink run -d -p 2 /opt/millrace/job/millrace-job.jar"
            + " --config train.yaml";

    assertThat(submission()).isEqualTo(flink);
    assertThat(submission("--work-dir", "/srv/jobs"))
        .isEqualTo("FLINK_CONF_DIR=/srv/jobs/cluster/conf " + flink);
  }

  @Test
  void pathsThatAShellWouldSplitAreQuoted() {
    installedIn("/Ann's/it all");

    assertThat(submission("--work-dir", "/my work"))
        .isEqualTo(
            "FLINK_CONF_DIR='/my work/cluster/conf' '/Ann'\\''s/it all/bin/flink' run -d -p 2"
                + " '/Ann'\\''s/it all/job/millrace-job.jar' --config train.yaml");
  }

  private static void installedIn(String home) {
    System.setProperty("millrace.home", home);
    System.setProperty("millrace.scripts", home + "/bin");
    System.setProperty("millrace.flink.classpath", home + "/opt/flink/*");
  }

  private static String submission(String... options) {
    return CommandLine.populateCommand(new ClusterPlace(), options).submission(2);
  }
}
