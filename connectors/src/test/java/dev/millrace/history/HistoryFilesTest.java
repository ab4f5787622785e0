package dev.millrace.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFilesTest {

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    for (String name :
        List.of("b.jsonl", "a.jsonl", "2025/c.jsonl", "2025/d.csv", "_SUCCESS", ".hidden.jsonl")) {
      Path file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "{}\n");
    }
    Files.createFile(directory.resolve("empty.jsonl"));
  }

  @Test
  void aFileADirectoryAndPatternsAreFoundInTheOrderOfTheirNames() throws Exception {
    assertThat(find("b.jsonl")).containsExactly("b.jsonl");
    assertThat(find("")).containsExactly("2025/c.jsonl", "2025/d.csv", "a.jsonl", "b.jsonl");
    assertThat(find("*.jsonl")).containsExactly("a.jsonl", "b.jsonl");
    assertThat(find("20??/*")).containsExactly("2025/c.jsonl", "2025/d.csv");
    assertThat(find("{2025/c,a}.jsonl")).containsExactly("2025/c.jsonl", "a.jsonl");
    assertThat(find("**.jsonl")).containsExactly("2025/c.jsonl", "a.jsonl", "b.jsonl");
  }

  @Test
  void theyAreInTheOrderOfTheirPaths() throws Exception {
    assertThat(
            new HistoryFiles()
                .enumerateSplits(
                    HistoryFiles.places(List.of(directory.toString()))
                        .toArray(org.apache.flink.core.fs.Path[]::new),
                    4))
        .extracting(split -> split.path().getName())
        .containsExactly("c.jsonl", "d.csv", "a.jsonl", "b.jsonl");
  }

  @Test
  void nothingFoundSaysWhere() {
    for (String nothing : List.of("missing.jsonl", "*.parquet", "empty.jsonl", "none/*.jsonl")) {
      assertThatThrownBy(() -> find(nothing))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining(nothing);
    }
  }

  private List<String> find(String place) throws IOException {
    String root = directory.toUri().getPath();
    return HistoryFiles.find(HistoryFiles.places(List.of(directory + "/" + place))).stream()
        .map(FileSourceSplit::splitId)
        .map(id -> id.substring(id.indexOf(root) + root.length()))
        .toList();
  }
}
