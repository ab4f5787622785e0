package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults that deploy/lab/nightly/mutations plants: found here, in seconds, when the code has moved.
 */
class MutationPatchesTest {

  private static final Path PATCHES = DeployFiles.DEPLOY.resolve("lab/nightly/mutations");
  private static final Pattern FILE = Pattern.compile("(?m)^--- a/(.+)$");
  private static final Pattern HUNK = Pattern.compile("(?m)^@@ .*\\n((?:[-+ ].*\\n)+)");
  private static final Pattern ADDED = Pattern.compile("(?m)^\\+.*\\n");
  private static final Pattern FIRST_COLUMN = Pattern.compile("(?m)^[- ]");

  static Stream<Path> patches() throws IOException {
    List<Path> patches = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(PATCHES, "*.patch")) {
      files.forEach(patches::add);
    }
    return patches.stream();
  }

  @ParameterizedTest
  @MethodSource("patches")
  void aPatchSaysHowChaosEndsAndFitsTheCode(Path patch) throws IOException {
    String text = Files.readString(patch);
    assertThat(text).containsPattern("(?m)^Chaos ends with [13]$");
    Matcher file = FILE.matcher(text);
    assertThat(file.find()).isTrue();
    String code = Files.readString(DeployFiles.DEPLOY.resolve("..").resolve(file.group(1)));
    assertThat(file.find()).as("each patch is of one file").isFalse();

    List<String> replaced =
        HUNK.matcher(text)
            .results()
            .map(hunk -> ADDED.matcher(hunk.group(1)).replaceAll(""))
            .map(old -> FIRST_COLUMN.matcher(old).replaceAll(""))
            .toList();

    assertThat(replaced).isNotEmpty().allSatisfy(old -> assertThat(code).containsOnlyOnce(old));
  }
}
