package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.AggregatorExtension;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.aggregate.ServerOptimizerExtension;
import dev.millrace.exchange.aggregate.StateShape;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.CodecExtension;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.schedule.ScheduleExtension;
import dev.millrace.extension.Extension;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.fields.RecordObjects;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotStoreExtension;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.annotation.PublicEvolving;
import org.junit.jupiter.api.Test;

/**
 * What programs and extensions may use, as {@code src/test/resources/api.txt} has it: nothing of it
 * goes away. There is no release yet that a tool such as japicmp could compare with, so the
 * baseline is text, which a review sees. {@code -Dmillrace.remake=true} writes it anew.
 */
class ApiSurfaceTest {

  private static final Path BASELINE = Path.of("src", "test", "resources", "api.txt");
  private static final Path CLASSES = Path.of("target", "classes", "dev", "millrace", "api");
  private static final Pattern CLASS_NAME = Pattern.compile("[a-z]\\w*(?:\\.\\w+)+(?:[.$]\\w+)*");

  /** What extensions implement, and what they are given. */
  private static final List<Class<?>> EXTENSIONS =
      List.of(
          Extension.class,
          AggregatorExtension.class,
          Aggregator.class,
          ServerOptimizerExtension.class,
          ServerOptimizer.class,
          StateShape.class,
          ScheduleExtension.class,
          Schedule.class,
          RoundCost.class,
          CodecExtension.class,
          Codec.class,
          Encoder.class,
          IndexRange.class,
          SnapshotStoreExtension.class,
          SnapshotStore.class,
          SnapshotStore.Content.class,
          RecordFormatProvider.class,
          RecordFormat.class,
          RecordObjects.class,
          FieldPlan.class,
          FieldPath.class,
          FieldValues.class);

  @Test
  void nothingOfTheBaselineIsGoneAndNothingIsMissingInIt() throws Exception {
    List<String> surface = surface(types());
    surface.addAll(surface(EXTENSIONS));
    if (Boolean.getBoolean("millrace.remake")) {
      Files.write(BASELINE, surface);
    }
    List<String> baseline = Files.readAllLines(BASELINE);

    assertThat(surface)
        .as("programs use what was removed or changed here: bring it back")
        .containsAll(baseline);
    assertThat(baseline)
        .as("what is new belongs into the baseline: -Dmillrace.remake=true")
        .containsAll(surface);
  }

  @Test
  void itNamesTypesOfTheJdkOfFlinksPublicApiAndItsOwnAlone() throws Exception {
    Set<String> foreign = new TreeSet<>();
    for (String line : surface(types())) {
      Matcher names = CLASS_NAME.matcher(line);
      while (names.find()) {
        if (!isAllowed(names.group())) {
          foreign.add(names.group() + " in " + line);
        }
      }
    }
    assertThat(foreign).isEmpty();
  }

  @Test
  void everyTypeSaysThatItIsPublic() throws Exception {
    assertThat(types()).allSatisfy(type -> assertThat(type).hasAnnotation(PublicEvolving.class));
  }

  private static boolean isAllowed(String name) throws ClassNotFoundException {
    if (name.startsWith("java.") || name.startsWith("dev.millrace.api.")) {
      return true;
    }
    Class<?> type = Class.forName(name);
    while (type.getEnclosingClass() != null) {
      type = type.getEnclosingClass();
    }
    return name.startsWith("org.apache.flink.")
        && Arrays.stream(type.getAnnotations())
            .map(annotation -> annotation.annotationType().getName())
            .anyMatch(
                annotation ->
                    annotation.equals("org.apache.flink.annotation.Public")
                        || annotation.equals("org.apache.flink.annotation.PublicEvolving"));
  }

  private static List<String> surface(Collection<Class<?>> types) {
    List<String> lines = new ArrayList<>();
    for (Class<?> type : types) {
      lines.add(type.toGenericString());
      for (Constructor<?> constructor : type.getDeclaredConstructors()) {
        if (isVisible(constructor.getModifiers())) {
          lines.add("  " + constructor.toGenericString());
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
          lines.add("  " + method.toGenericString());
        }
      }
      if (type.isRecord()) {
        lines.add(
            "  components "
                + Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getGenericType)
                    .map(Type::getTypeName)
                    .collect(Collectors.joining(", ")));
      }
      if (type.isEnum()) {
        lines.add("  constants " + Arrays.toString(type.getEnumConstants()));
      }
    }
    // The order of methods is the virtual machine's own.
    return sorted(lines);
  }

  /** Each type's lines in order, below the type. */
  private static List<String> sorted(List<String> lines) {
    List<String> sorted = new ArrayList<>();
    List<String> members = new ArrayList<>();
    for (String line : lines) {
      if (!line.startsWith("  ")) {
        sorted.addAll(members.stream().sorted().toList());
        members.clear();
        sorted.add(line);
      } else {
        members.add(line);
      }
    }
    sorted.addAll(members.stream().sorted().toList());
    return sorted;
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** Public types of the package, those within others too. */
  private static Set<Class<?>> types() throws IOException, ClassNotFoundException {
    List<String> names;
    try (Stream<Path> files = Files.list(CLASSES)) {
      names =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
              .map(file -> "dev.millrace.api." + file.substring(0, file.length() - 6))
              .sorted()
              .toList();
    }
    Set<Class<?>> types = new LinkedHashSet<>();
    for (String name : names) {
      Class<?> type = Class.forName(name);
      if (Modifier.isPublic(type.getModifiers())) {
        types.add(type);
      }
    }
    return types;
  }
}
