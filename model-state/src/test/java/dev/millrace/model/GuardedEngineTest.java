package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a reader of an engine throws, an input that made it is refused. */
final class GuardedEngineTest {

  private static final Path FILE = Path.of("some", "model.zip");

  static Throwable[] failures() {
    return new Throwable[] {
      new StackOverflowError(),
      new OutOfMemoryError("Java heap space"),
      new NoClassDefFoundError("org/other/Layer"),
      new ExceptionInInitializerError("x"),
      new AssertionError("x"),
      new IllegalStateException("x"),
      new NullPointerException()
    };
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anInputThatMakesAReaderFailIsRefused(Throwable failure) {
    ModelEngine engine = new GuardedEngine(failing(failure));

    assertThatThrownBy(() -> engine.readArchive(FILE))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("The model archive %s can't be read: ".formatted(FILE))
        .hasCause(failure);
    assertThatThrownBy(() -> engine.shapeOf(FILE)).isInstanceOf(InvalidModelException.class);
    assertThatThrownBy(
            () ->
                engine.define(
                    new ModelDefinition.Archive(FILE, new ExampleShape(1, 1, Target.REGRESSION))))
        .isInstanceOf(InvalidModelException.class);
    assertThatThrownBy(() -> engine.describe("kind", "{}"))
        .isInstanceOf(InvalidModelException.class);
    assertThatThrownBy(() -> engine.tensors("kind", "{}"))
        .isInstanceOf(InvalidModelException.class);
  }

  @Test
  void whatSaysWhatIsWrongStaysAsItIs() {
    InvalidModelException own = new InvalidModelException("own words");
    UnusableEngineException unusable = new UnusableEngineException("no library");

    assertThatThrownBy(() -> new GuardedEngine(failing(own)).readArchive(FILE)).isSameAs(own);
    assertThatThrownBy(() -> new GuardedEngine(failing(unusable)).readArchive(FILE))
        .isSameAs(unusable);
  }

  /** A default would answer in the place of the engine, which may know better. */
  @Test
  void nothingIsAnsweredByDefault() throws Exception {
    for (Method method : ModelEngine.class.getMethods()) {
      if (method.isDefault() && method.getReturnType() != void.class) {
        assertThat(
                GuardedEngine.class
                    .getMethod(method.getName(), method.getParameterTypes())
                    .getDeclaringClass())
            .as(method.getName())
            .isEqualTo(GuardedEngine.class);
      }
    }
  }

  /** The process can't go on after it, and Flink ends it. */
  @Test
  void memoryForClassesThatIsUsedUpIsNoFaultOfTheInput() {
    OutOfMemoryError full = new OutOfMemoryError("Metaspace");

    assertThatThrownBy(() -> new GuardedEngine(failing(full)).readArchive(FILE)).isSameAs(full);
  }

  @Test
  void enginesThatAreNamedAreGuarded() {
    assertThatThrownBy(() -> ModelEngine.named(SummingEngine.NAME).readArchive(null))
        .isInstanceOf(InvalidModelException.class);
  }

  private static ModelEngine failing(Throwable failure) {
    return (ModelEngine)
        Proxy.newProxyInstance(
            ModelEngine.class.getClassLoader(),
            new Class<?>[] {ModelEngine.class},
            (proxy, method, arguments) -> {
              throw failure;
            });
  }
}
