package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dl4j.spark.ParameterAveragingTrainingMaster;
import dev.millrace.dl4j.spark.SharedTrainingMaster;
import dev.millrace.dl4j.spark.SparkComputationGraph;
import dev.millrace.dl4j.spark.SparkDl4jMultiLayer;
import dev.millrace.dl4j.spark.VoidConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No public method of DL4J's classes is missing here. */
class OriginalsTest {

  private static final Pattern METHOD = Pattern.compile("(\\w+)\\((.*)\\)");

  @ParameterizedTest
  @ValueSource(
      classes = {
        ParallelWrapper.Builder.class,
        ParameterAveragingTrainingMaster.Builder.class,
        SharedTrainingMaster.Builder.class,
        VoidConfiguration.VoidConfigurationBuilder.class,
        SparkDl4jMultiLayer.class,
        SparkComputationGraph.class
      })
  void noMethodIsMissing(Class<?> type) throws IOException {
    assertThat(missing(type)).isEmpty();
  }

  private static List<String> missing(Class<?> type) throws IOException {
    String name = type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    List<String> originals =
        lines()
            .filter(line -> line.startsWith(name + " "))
            .map(line -> line.substring(name.length() + 1))
            .toList();
    assertThat(originals).as("methods of " + name).isNotEmpty();
    return originals.stream().filter(method -> !isThere(type, method)).toList();
  }

  private static Stream<String> lines() throws IOException {
    try (InputStream in = OriginalsTest.class.getResourceAsStream("/originals.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
    }
  }

  private static boolean isThere(Class<?> type, String original) {
    Matcher method = METHOD.matcher(original);
    assertThat(method.matches()).as(original).isTrue();
    String name = method.group(1);
    List<String> parameters =
        method.group(2).isEmpty() ? List.of() : List.of(method.group(2).split(", "));
    Stream<? extends Executable> ours =
        name.equals("new")
            ? Arrays.stream(type.getConstructors())
            : Arrays.stream(type.getMethods()).filter(one -> one.getName().equals(name));
    return ours.anyMatch(one -> accepts(one.getParameterTypes(), parameters));
  }

  private static boolean accepts(Class<?>[] ours, List<String> originals) {
    if (ours.length != originals.size()) {
      return false;
    }
    for (int i = 0; i < ours.length; i++) {
      if (!accepts(ours[i].getSimpleName(), originals.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean accepts(String ours, String original) {
    return ours.equals(original)
        || ours.equals("Object")
        || (ours.equals("Model")
            && (original.equals("MultiLayerNetwork") || original.equals("ComputationGraph")));
  }
}
