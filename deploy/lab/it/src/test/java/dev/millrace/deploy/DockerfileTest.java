package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The image of the commands, beside what the distribution is made of. */
class DockerfileTest {

  private static final Pattern FOLDER_OF_OPT =
      Pattern.compile("<outputDirectory>(opt/\\w+)</outputDirectory>");
  private static final Pattern COPIED = Pattern.compile("(?m)^COPY (\\S+/) /opt/millrace/\\1$");

  /** A command whose folder is missing tells to unpack an archive, which a container can't. */
  @Test
  void theImageHasEachFolderOfOpt() throws IOException {
    List<String> folders =
        found(FOLDER_OF_OPT, DeployFiles.DEPLOY.resolve("dist/src/assembly/distribution.xml"));
    List<String> copied = found(COPIED, DeployFiles.DOCKER.resolve("Dockerfile"));

    assertThat(folders).contains("opt/flink", "opt/keras", "opt/onnx", "opt/serve");
    assertThat(folders)
        .allSatisfy(folder -> assertThat(copied).anyMatch((folder + "/")::startsWith));
  }

  /** The distribution has none, so the image has none either. */
  @Test
  void theReadmeAddsAPluginOfThisFlink() throws IOException {
    assertThat(DeployFiles.DOCKER.resolve("README.md"))
        .content()
        .contains(
            "--from=flink:%1$s-java17 /opt/flink/opt/flink-s3-fs-presto-%1$s.jar /opt/millrace/plugins/"
                .formatted(System.getProperty("flink.version")));
  }

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult match) -> match.group(1))
        .distinct()
        .toList();
  }
}
