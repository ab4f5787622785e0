package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is changed in programs of DL4J, as pages show it. {@code -Dmillrace.remake=true} writes the
 * diffs into the pages again.
 */
class OriginalProgramsTest {

  private static final Path PROGRAMS = Path.of("src/test/java/programs");
  private static final Path ORIGINALS = Path.of("src/test/resources/originals");
  private static final Path PAGES = Path.of("../../docs/migrate");

  @ParameterizedTest
  @CsvSource({
    "LenetProgram, parallel-wrapper.md, 0",
    "ParameterAveragingProgram, spark.md, 0",
    "GradientSharingProgram, spark.md, 0",
    "EvaluationProgram, spark.md, 0",
    "MasterProgram, scaleout.md, 5"
  })
  void pagesShowWhatIsChanged(String program, String page, int most) throws IOException {
    String file = program + ".java";
    List<String> diff =
        diff(
            Files.readAllLines(ORIGINALS.resolve(file)),
            Files.readAllLines(PROGRAMS.resolve(file)));
    String heading =
        "```diff\n--- org.deeplearning4j/%s\n+++ dev.millrace/%s\n".formatted(file, file);
    String block = heading + String.join("\n", diff) + "\n```";
    String text = Files.readString(PAGES.resolve(page));
    int from = text.indexOf(heading);
    assertThat(from).as("the diff of %s in %s", program, page).isNotNegative();
    int to = text.indexOf("\n```", from + heading.length()) + "\n```".length();
    if (Boolean.getBoolean("millrace.remake")) {
      Files.writeString(PAGES.resolve(page), text.substring(0, from) + block + text.substring(to));
    } else {
      assertThat(text.substring(from, to)).isEqualTo(block);
    }

    assertThat(diff.stream().filter(line -> line.startsWith("+") && !isImport(line)))
        .hasSizeLessThanOrEqualTo(most);
    assertThat(diff).filteredOn(line -> line.startsWith("+") && isImport(line)).isNotEmpty();
  }

  private static boolean isImport(String line) {
    return line.startsWith("import ", 1);
  }

  /** Returns the lines that differ, by the longest sequence that both have. */
  private static List<String> diff(List<String> left, List<String> right) {
    int[][] common = new int[left.size() + 1][right.size() + 1];
    for (int i = left.size() - 1; i >= 0; i--) {
      for (int j = right.size() - 1; j >= 0; j--) {
        common[i][j] =
            left.get(i).equals(right.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    List<String> removed = new ArrayList<>();
    List<String> added = new ArrayList<>();
    List<String> all = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < left.size() || j < right.size()) {
      if (i < left.size() && j < right.size() && left.get(i).equals(right.get(j))) {
        all.addAll(removed);
        all.addAll(added);
        removed = new ArrayList<>();
        added = new ArrayList<>();
        i++;
        j++;
      } else if (j == right.size() || (i < left.size() && common[i + 1][j] >= common[i][j + 1])) {
        removed.add("-" + left.get(i++));
      } else {
        added.add("+" + right.get(j++));
      }
    }
    all.addAll(removed);
    all.addAll(added);
    // Imports come first, theirs before ours, wherever the order of names has put them.
    List<String> imports = new ArrayList<>(all.stream().filter(line -> isImport(line)).toList());
    Collections.sort(imports, (one, other) -> Character.compare(other.charAt(0), one.charAt(0)));
    List<String> ordered = new ArrayList<>(imports);
    all.stream().filter(line -> !isImport(line)).forEach(ordered::add);
    return ordered;
  }
}
