package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.UnusableEngineException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class StartFailureTest {

  /** The job's jars as they are, without those that belong into Flink's lib/. */
  @Test
  void withoutDl4jOnTheClassPathEveryWayInSaysSo() throws Exception {
    URL[] jars = {placeOf(Dl4jEngine.class), placeOf(DeviceRequest.class), placeOf(Logger.class)};
    try (URLClassLoader alone = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
      Object engine =
          alone
              .loadClass("dev.millrace.model.ModelEngine")
              .getMethod("named", String.class)
              .invoke(null, "dl4j");

      for (int attempt = 0; attempt < 2; attempt++) {
        assertSaysThatDl4jIsMissing(engine, "define");
        assertSaysThatDl4jIsMissing(engine, "build");
      }
    }
  }

  private static URL placeOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  private static void assertSaysThatDl4jIsMissing(Object engine, String name) throws Exception {
    for (Method method : engine.getClass().getInterfaces()[0].getMethods()) {
      if (method.getName().equals(name) && !method.isBridge()) {
        Object device =
            engine
                .getClass()
                .getClassLoader()
                .loadClass(DeviceRequest.class.getName())
                .getMethod("any")
                .invoke(null);
        Object[] arguments =
            method.getParameterCount() == 1 ? new Object[1] : new Object[] {null, device};
        assertThatThrownBy(() -> method.invoke(engine, arguments))
            .isInstanceOf(InvocationTargetException.class)
            .cause()
            .satisfies(
                e ->
                    assertThat(e.getClass().getName())
                        .isEqualTo(UnusableEngineException.class.getName()))
            .hasMessageContaining("DL4J isn't on the class path")
            .hasMessageContaining("there is no class org.nd4j.")
            .hasMessageContaining("Flink's lib/");
      }
    }
  }

  @Test
  void nativeCodeThatCannotBeLoadedIsNamed() {
    Throwable thrown =
        new ExceptionInInitializerError(
            new RuntimeException(
                "ND4J is probably missing dependencies",
                new UnsatisfiedLinkError("no jnind4jcpu in java.library.path: /usr/lib\nmore")));

    assertThat(StartFailure.explain(thrown))
        .hasMessageContaining("no jnind4jcpu in java.library.path: /usr/lib. ")
        .hasMessageContaining("nd4j-native")
        .hasMessageContaining("LD_LIBRARY_PATH")
        .hasCause(thrown);
  }

  @Test
  void anythingElseIsPassedOnWithItsCause() {
    assertThat(StartFailure.explain(new ExceptionInInitializerError(new ArithmeticException("x"))))
        .hasMessageContaining("ND4J can't be started: java.lang.ArithmeticException: x");
  }

  @Test
  void backendsThatCannotRunAreNamedWithTheirReasons() {
    assertThat(StartFailure.noBackend(List.of()))
        .startsWith("There is no ND4J backend on the class path");
    assertThat(StartFailure.noBackend(List.of("JCublasBackend: No CUDA devices were found")))
        .contains("(JCublasBackend: No CUDA devices were found)")
        .contains("CUDA_VISIBLE_DEVICES", "nd4j-native");
  }
}
