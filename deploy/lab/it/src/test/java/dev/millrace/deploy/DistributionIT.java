package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.GlobalConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes where: a class that lies in two places would be loaded twice, or from the wrong one.
 */
class DistributionIT {

  private static final Path HOME = Distribution.installation().home();

  @Test
  void theJobJarIsThin() throws IOException {
    try (JarFile job = new JarFile(Distribution.jobJar().toFile())) {
      assertThat(job.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo("dev.millrace.job.TrainingJob");
      assertThat(classes(job))
          .contains(
              "dev/millrace/job/TrainingJob.class",
              "dev/millrace/model/dl4j/Dl4jEngine.class",
              "dev/millrace/model/torch/TorchEngine.class")
          .noneMatch(name -> name.startsWith("dev/millrace/sql/"))
          .noneMatch(name -> name.startsWith("org/nd4j/"))
          .noneMatch(name -> name.startsWith("org/deeplearning4j/"))
          .noneMatch(name -> name.startsWith("org/bytedeco/"))
          .noneMatch(name -> name.startsWith("dev/millrace/nd4j/"))
          .noneMatch(name -> name.startsWith("dev/millrace/digits/"))
          .noneMatch(name -> name.startsWith("org/apache/flink/runtime/"))
          .noneMatch(name -> name.startsWith("org/apache/flink/table/"))
          .noneMatch(name -> name.startsWith("org/rocksdb/"))
          .noneMatch(name -> name.startsWith("org/slf4j/"));
    }
  }

  /** One OpenBLAS and one JavaCPP for both: they may be on one class path, too. */
  @Test
  void eachEngineHasItsOwnJarsAndNothingThatFlinkHas() throws IOException {
    List<String> dl4j = jars(HOME.resolve("engines/dl4j"));
    List<String> torch = jars(HOME.resolve("engines/torch"));

    assertThat(dl4j)
        .contains("millrace-nd4j", "nd4j-api", "javacpp", "openblas")
        .anyMatch(name -> name.startsWith("nd4j-native"))
        .noneMatch(name -> name.contains("pytorch"))
        .doesNotContainAnyElementsOf(flinksJars());
    assertThat(torch).containsExactlyInAnyOrder("pytorch", "javacpp", "openblas");
    assertThat(names(HOME.resolve("engines/torch")))
        .filteredOn(name -> !name.startsWith("pytorch"))
        .isSubsetOf(names(HOME.resolve("engines/dl4j")));
    assertThat(HOME.resolve("lib")).doesNotExist();
  }

  /** {@code -Prelease} and {@code -Pnightly} make them. */
  @ParameterizedTest
  @ValueSource(strings = {"dl4j", "torch"})
  @Tag("nightly")
  void anUberJarBringsAllOfOneEngine(String engine) throws IOException {
    try (JarFile uber = new JarFile(Distribution.uberJar(engine).toFile());
        JarFile job = new JarFile(Distribution.jobJar().toFile())) {
      String folder = "engine/%s/".formatted(engine);
      assertThat(uber.stream().map(JarEntry::getName))
          .filteredOn(name -> name.startsWith("engine/") && name.endsWith(".jar"))
          .containsExactlyInAnyOrderElementsOf(
              names(HOME.resolve("engines").resolve(engine)).stream().map(folder::concat).toList());
      assertThat(uber.getEntry(folder + "libraries")).isNotNull();
      assertThat(classes(uber)).containsExactlyInAnyOrderElementsOf(classes(job));
    }
  }

  /** Nor does any command but {@code import} see it, which {@link KerasImportIT} shows. */
  @Test
  void onlyOptReadsKerasModels() throws IOException {
    List<Path> jars = new ArrayList<>(List.of(Distribution.jobJar()));
    for (String folder : List.of("engines/dl4j", "engines/torch", "cli")) {
      jars.addAll(paths(HOME.resolve(folder)));
    }
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile())) {
        assertThat(jar.stream().map(JarEntry::getName))
            .as(path.toString())
            .noneMatch(name -> name.startsWith("org/deeplearning4j/nn/modelimport/"))
            .noneMatch(name -> name.startsWith("org/bytedeco/hdf5/"))
            .noneMatch(name -> name.startsWith("dev/millrace/keras/"));
      }
    }
    assertThat(jars(HOME.resolve("opt/keras")))
        .contains("millrace-keras", "deeplearning4j-modelimport", "hdf5")
        .doesNotContainAnyElementsOf(jars(HOME.resolve("engines/dl4j")))
        .doesNotContainAnyElementsOf(flinksJars());
  }

  @Test
  void onlyOptHasOnnxRuntime() throws IOException {
    List<Path> jars = new ArrayList<>(List.of(Distribution.jobJar()));
    for (String folder : List.of("engines/dl4j", "engines/torch", "cli", "opt/keras")) {
      jars.addAll(paths(HOME.resolve(folder)));
    }
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile())) {
        assertThat(jar.stream().map(JarEntry::getName))
            .as(path.toString())
            .noneMatch(name -> name.startsWith("ai/onnx"))
            .noneMatch(name -> name.startsWith("dev/millrace/onnx/"));
      }
    }
    assertThat(jars(HOME.resolve("opt/onnx")))
        .containsExactlyInAnyOrder("millrace-onnx", "tribuo-util-onnx", "onnxruntime");
  }

  /** What the commands use for their live page doesn't get into a cluster. */
  @Test
  void noJobServesHttp() throws IOException {
    List<Path> jars = new ArrayList<>(List.of(Distribution.jobJar()));
    for (String folder : List.of("engines/dl4j", "engines/torch", "opt/keras", "opt/onnx")) {
      jars.addAll(paths(HOME.resolve(folder)));
    }
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile())) {
        assertThat(jar.stream().map(JarEntry::getName))
            .as(path.toString())
            .noneMatch(name -> name.startsWith("org/eclipse/jetty/"))
            .noneMatch(name -> name.startsWith("io/prometheus/"))
            .noneMatch(name -> name.startsWith("dev/millrace/serve/"));
      }
    }
    assertThat(jars(HOME.resolve("cli")))
        .contains("millrace-watch", "millrace-http", "jetty-server", "uplot", "wire-schema-jvm");
    assertThat(jars(HOME.resolve("opt/serve")))
        .contains("millrace-serve", "prometheus-metrics-core", "grpc-netty-shaded")
        .allMatch(
            name ->
                name.matches(
                    "(millrace-serve|prometheus-.*|grpc-.*|perfmark-api|guava|failureaccess)"));
  }

  @Test
  void whatIsShippedIsNamedWithItsLicence() throws IOException {
    for (String folder :
        List.of("engines/dl4j", "engines/torch", "cli", "opt/keras", "opt/onnx", "opt/serve")) {
      assertNamed(HOME, folder);
    }
    assertNamed(HOME.resolve("opt/flink"), ".");
    assertNamed(HOME.resolve("opt/broker"), ".");
    assertThat(HOME.resolve("LICENSE")).exists();
    assertThat(HOME.resolve("NOTICE")).exists();
  }

  private static void assertNamed(Path lists, String folder) throws IOException {
    String named = Files.readString(lists.resolve("THIRD-PARTY.txt"));
    String bom = Files.readString(lists.resolve("bom.json"));
    for (String artifact : jars(lists.resolve(folder))) {
      if (!artifact.startsWith("millrace")) {
        // Some names have a number in them, such as log4j-1.2-api.
        String name = Pattern.quote(artifact) + "(-\\d[^:@]*)?";
        assertThat(named).containsPattern(":" + name + ":");
        assertThat(bom).containsPattern("/" + name + "@");
      }
    }
  }

  /** A connector made with other clients may run in a job beside it. */
  @Test
  void theBrokerHasTheClientsOfItsOwnRelease() throws IOException {
    List<String> broker = names(HOME.resolve("opt/broker"));

    assertThat(broker)
        .anyMatch(name -> name.startsWith("kafka_2.13-" + System.getProperty("kafka.version")))
        .contains("kafka-clients-%s.jar".formatted(System.getProperty("kafka.version")));
    assertThat(jars(HOME.resolve("opt/flink"))).noneMatch(name -> name.startsWith("kafka"));
  }

  @Test
  void theShippedConfigurationIsFlinks() {
    assertThat(
            FlinkOptions.problems(
                GlobalConfiguration.loadConfiguration(HOME.resolve("conf/flink").toString())
                    .toMap()))
        .isEmpty();
  }

  private static List<String> flinksJars() throws IOException {
    return jars(HOME.resolve("opt/flink"));
  }

  private static List<String> jars(Path directory) throws IOException {
    return paths(directory).stream()
        .filter(path -> path.toString().endsWith(".jar"))
        .map(DistributionIT::artifact)
        .distinct()
        .toList();
  }

  private static List<String> names(Path directory) throws IOException {
    return paths(directory).stream().map(path -> path.getFileName().toString()).toList();
  }

  private static List<Path> paths(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.toList();
    }
  }

  /** The file's name without version and platform. */
  private static String artifact(Path jar) {
    return jar.getFileName().toString().replaceFirst("(-\\d.*)?\\.jar$", "");
  }

  private static List<String> classes(JarFile jar) {
    return jar.stream().map(JarEntry::getName).filter(name -> name.endsWith(".class")).toList();
  }
}
