package dev.millrace.job.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test with each {@link TestEngine}. {@code mvn verify} runs it with one, which its name decides,
 * and the profile {@code nightly} with all.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(EachEngine.Choice.class)
public @interface EachEngine {

  /** Which engines a test runs with. */
  final class Choice implements ArgumentsProvider {

    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      TestEngine[] all = TestEngine.values();
      if (!"one".equals(System.getProperty("millrace.test.engines"))) {
        return Stream.of(all).map(Arguments::of);
      }
      int name = context.getRequiredTestMethod().getName().hashCode();
      return Stream.of(Arguments.of(all[Math.floorMod(name, all.length)]));
    }
  }
}
