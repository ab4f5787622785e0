package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Which jars an engine sees, and who shares them. */
final class EngineLibrariesTest {

  @TempDir private Path directory;

  @BeforeEach
  void name() {
    System.setProperty(EngineLibraries.PROPERTY, directory.toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty(EngineLibraries.PROPERTY);
  }

  @Test
  void anEngineSeesItsOwnJarsAndNoOthers() throws Exception {
    jar("first", "lib.Shared", "lib.OfFirst");
    jar("second", "lib.Shared", "lib.OfSecond");
    ClassLoader first = EngineLibraries.loader("first");
    ClassLoader second = EngineLibraries.loader("second");

    assertThat(first.loadClass("lib.Shared")).isNotSameAs(second.loadClass("lib.Shared"));
    assertThat(first.loadClass("lib.OfFirst").getName()).isEqualTo("lib.OfFirst");
    assertThatThrownBy(() -> first.loadClass("lib.OfSecond"))
        .isInstanceOf(ClassNotFoundException.class);
    assertThatThrownBy(() -> second.loadClass("lib.OfFirst"))
        .isInstanceOf(ClassNotFoundException.class);
    assertThat(EngineLibraries.loader("first")).isSameAs(first);
    assertThat(first.loadClass(Logger.class.getName())).isSameAs(Logger.class);
  }

  @Test
  void whereThereIsNoFolderTheClassPathHasIt() throws Exception {
    ClassLoader own = EngineLibraries.class.getClassLoader();

    assertThat(EngineLibraries.loader("later")).isSameAs(own);
    assertThat(EngineLibraries.areThere("later")).isFalse();
    assertThat(EngineLibraries.loader("../later")).isSameAs(own);

    jar("later", "lib.Later");

    assertThat(EngineLibraries.areThere("later")).isTrue();
    assertThat(EngineLibraries.loader("later").loadClass("lib.Later")).isNotNull();
  }

  /** As two submissions of a job's jar: native code is loaded once. */
  @Test
  void jobsShareTheLibrariesAndHaveTheEngineThemselves() throws Exception {
    jar("common", "lib.Common");
    URL[] job = {EngineLibraries.class.getProtectionDomain().getCodeSource().getLocation()};
    ClassLoader cluster = getClass().getClassLoader().getParent();
    try (URLClassLoader one = new URLClassLoader(job, cluster);
        URLClassLoader two = new URLClassLoader(job, cluster)) {
      ClassLoader ofOne = loader(one);
      ClassLoader ofTwo = loader(two);

      assertThat(ofOne).isNotSameAs(ofTwo);
      assertThat(ofOne.loadClass("lib.Common")).isSameAs(ofTwo.loadClass("lib.Common"));
      for (ClassLoader known = ofOne.loadClass("lib.Common").getClassLoader();
          known != null;
          known = known.getParent()) {
        assertThat(known).as("holds no job's classes").isNotIn(one, two, ofOne, ofTwo);
        assertThat(known.getClass().getClassLoader()).isNotIn(one, two);
      }
    }
  }

  private static ClassLoader loader(ClassLoader job) throws ReflectiveOperationException {
    Method loader =
        job.loadClass(EngineLibraries.class.getName()).getDeclaredMethod("loader", String.class);
    loader.setAccessible(true);
    return (ClassLoader) loader.invoke(null, "common");
  }

  /** A jar of empty classes in the engine's folder. */
  private void jar(String engine, String... classes) throws IOException {
    Path folder = Files.createDirectories(directory.resolve(engine));
    try (OutputStream file = Files.newOutputStream(folder.resolve(engine + ".jar"));
        JarOutputStream jar = new JarOutputStream(file)) {
      for (String name : classes) {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        Path sources = Files.createDirectories(directory.resolve("sources").resolve(engine));
        Path source =
            Files.writeString(
                sources.resolve(simple + ".java"),
                "package lib; public class %s {}".formatted(simple));
        assertThat(
                ToolProvider.getSystemJavaCompiler()
                    .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-d",
                        sources.toString(),
                        source.toString()))
            .isZero();
        String path = name.replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(path));
        jar.write(Files.readAllBytes(sources.resolve(path)));
        jar.closeEntry();
      }
    }
  }
}
