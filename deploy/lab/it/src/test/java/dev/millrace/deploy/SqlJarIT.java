package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The jar for Flink SQL stands beside jars with other versions of the libraries in it. */
class SqlJarIT {

  /** Native code knows the names of zstd's classes; Flink's Kafka connector has none. */
  private static final String OWN = "(dev/millrace|com/github/luben/zstd)/.*";

  private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

  private static final Pattern BEFORE =
      Pattern.compile(
          "L(org/apache/(kafka|avro|commons/codec|flink/connector/kafka)|com/fasterxml/jackson|com/google/protobuf)/");

  @Test
  void allClassesHaveNamesOfOurOwn() throws Exception {
    try (JarFile jar = new JarFile(Distribution.sqlJar().toFile())) {
      assertThat(jar.stream().map(Object::toString).filter(name -> name.endsWith(".class")))
          .hasSizeGreaterThan(1000)
          .allMatch(name -> name.matches(OWN));
    }
  }

  /** A lambda that is serialized has its types in a text, which relocation leaves as it was. */
  @Test
  void noClassOfOursHasTheNamesOfBefore() throws Exception {
    try (JarFile jar = new JarFile(Distribution.sqlJar().toFile())) {
      for (JarEntry entry : jar.stream().filter(SqlJarIT::isMillraces).toList()) {
        String bytes = new String(jar.getInputStream(entry).readAllBytes(), ISO_8859_1);
        assertThat(BEFORE.matcher(bytes).find()).as(entry.getName()).isFalse();
      }
    }
  }

  private static boolean isMillraces(JarEntry entry) {
    return entry.getName().matches("dev/millrace/(?!shaded/).*\\.class");
  }

  /** Flink refuses a second connector of a name, and Flink's Kafka connector has "kafka". */
  @Test
  void theFactoriesAreMillracesAlone() throws Exception {
    try (JarFile jar = new JarFile(Distribution.sqlJar().toFile())) {
      String name = "META-INF/services/org.apache.flink.table.factories.Factory";
      String factories = new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), UTF_8);
      assertThat(factories.lines().filter(line -> !line.startsWith("#") && !line.isBlank()))
          .isNotEmpty()
          .allMatch(factory -> factory.startsWith("dev.millrace.sql."));
    }
  }

  @Test
  void servicesAreFoundUnderTheirNewNames() throws Exception {
    try (URLClassLoader classes = jarAlone()) {
      for (String service :
          List.of(
              "dev.millrace.fields.RecordFormatProvider",
              "dev.millrace.model.ModelEngine",
              "dev.millrace.shaded.com.fasterxml.jackson.databind.Module",
              "dev.millrace.shaded.org.apache.kafka.common.config.provider.ConfigProvider")) {
        // Types alone: engines need libraries that are in Flink's lib/.
        assertThat(ServiceLoader.load(classes.loadClass(service), classes).stream())
            .as(service)
            .isNotEmpty();
      }
    }
  }

  /** Users give the name that Kafka or Flink's Kafka tables have for it. */
  @Test
  void loginModulesOfUsersAreFound() throws Exception {
    try (URLClassLoader classes = jarAlone()) {
      Class<?> cluster = classes.loadClass("dev.millrace.kafka.KafkaCluster");
      for (String given : List.of(LOGIN, "org.apache.flink.kafka.shaded." + LOGIN)) {
        Object made =
            cluster
                .getConstructor(String.class, Map.class)
                .newInstance("b:9092", Map.of("sasl.jaas.config", given + " required;"));
        Map<?, ?> properties = (Map<?, ?>) cluster.getMethod("properties").invoke(made);
        String name = properties.get("sasl.jaas.config").toString().split(" ", 2)[0];

        assertThat(name).isEqualTo("dev.millrace.shaded." + LOGIN);
        assertThat(classes.loadClass(name).getInterfaces())
            .contains(javax.security.auth.spi.LoginModule.class);
      }
    }
  }

  /** Nothing else is there, but what logs. */
  private static URLClassLoader jarAlone() throws Exception {
    return new URLClassLoader(
        new URL[] {
          Distribution.sqlJar().toUri().toURL(),
          org.slf4j.Logger.class.getProtectionDomain().getCodeSource().getLocation()
        },
        ClassLoader.getPlatformClassLoader());
  }
}
