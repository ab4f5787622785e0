package dev.millrace.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each planted defect is found within a minute of one thread, and told by few faults. */
@Tag("nightly")
class PlantedDefectsIT {

  static Stream<String> names() {
    return PlantedDefects.all().keySet().stream();
  }

  static Stream<String> changed() {
    return changes().keySet().stream();
  }

  private static Map<String, List<SourceChange>> changes() {
    Map<String, List<SourceChange>> all = new LinkedHashMap<>(ReviewedDefects.all());
    all.putAll(ResidualDefects.all());
    return all;
  }

  @ParameterizedTest
  @MethodSource("names")
  void aDefectIsFound(String name) {
    requireFound(name, DefectSearch.of(PlantedDefects.all().get(name)));
  }

  @ParameterizedTest
  @MethodSource("changed")
  void aDefectOfASourceIsFound(String name, @TempDir Path folder) throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    List<Path> sources = changes().get(name).stream().map(change -> change.write(folder)).toList();
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    try (PatchedClasses patched = PatchedClasses.of(sources, classes)) {
      thread.setContextClassLoader(patched);
      Object found =
          patched.loadClass(DefectSearch.class.getName()).getMethod("ofTheseClasses").invoke(null);
      requireFound(name, (String) found);
    } finally {
      thread.setContextClassLoader(own);
    }
  }

  private static void requireFound(String name, String foundOrNull) {
    assertThat(foundOrNull).as(name).isNotNull();
    System.out.println("| " + name + " | " + foundOrNull + " |");
  }
}
