package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks how the Javadocs of the main code begin. An IDE shows a Javadoc alone, without the code
 * around it, so it must not lean on what stands before it. To mend one, begin with a verb
 * ("Returns", "Writes", "Holds") or with the thing's name ("The topic of a job").
 */
class JavadocTest {

  private static final Path CHECKOUT = DeployFiles.DEPLOY.resolve("..").normalize();

  private static final Pattern JAVADOC =
      Pattern.compile("(?s)/\\*\\*[\\s*]*(.*?)\\*/(?=\\s*([^;{/]*))");

  /** Words that no Javadoc begins with. */
  private static final Pattern FRAGMENT =
      Pattern.compile(
          "(Of|The\\s[\\s*]*same|As|By|For|From|In|To|With|Without|Those|Who|Whom|Whose)\\b");

  /** Words that may begin what a class is, but not what a method does. */
  private static final Pattern FRAGMENT_OF_METHOD =
      Pattern.compile("(What|Where|How|Which|When|Why)\\b");

  private static final Pattern ANNOTATION = Pattern.compile("@\\w+(\\([^)]*\\))?");
  private static final Pattern METHOD = Pattern.compile("[^(=]*\\b[a-z]\\w*\\(");
  private static final Pattern TYPE = Pattern.compile("\\b(class|interface|record|enum)\\s");

  @Test
  void noJavadocBeginsAsAFragment() throws IOException {
    List<String> found = new ArrayList<>();
    int files = 0;
    for (Path file : mainSources()) {
      files++;
      String code = Files.readString(file);
      for (int place : fragments(code)) {
        long line = code.substring(0, place).lines().count();
        found.add("%s:%s".formatted(CHECKOUT.relativize(file), line));
      }
    }
    assertThat(files).isGreaterThan(1000);
    assertThat(found).as("Javadocs that don't stand alone; see JavadocTest").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** Of a topic. */ static final int SIZE = 1;",
        "/** The same for a list. */ void add(List<String> texts) {}",
        "/**\n * The\n * same for a list.\n */ void add(List<String> texts) {}",
        "/** What it holds. */ @Override public List<String> texts() {",
        "/** Where it begins. */ default int from(int index);",
        "/** By replica. */ private final Map<Integer, Long> times;",
        "/** The mean. */ MEAN,\n/** Of each value the median. */ MEDIAN;"
      })
  void aFragmentIsFound(String code) {
    assertThat(fragments(code)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** Office hours. */ int hours();",
        "/** What a job tells. */ public record Report(int round) {}",
        "/** Where it begins. */ private final int from = start();",
        "/** Returns what it holds. */ List<String> texts();"
      })
  void aWholeSentenceOrANameIsNone(String code) {
    assertThat(fragments(code)).isEmpty();
  }

  /** Returns where the text of each Javadoc begins that is a fragment. */
  private static List<Integer> fragments(String code) {
    List<Integer> places = new ArrayList<>();
    Matcher javadoc = JAVADOC.matcher(code);
    while (javadoc.find()) {
      String text = javadoc.group(1);
      String declaration = ANNOTATION.matcher(javadoc.group(2)).replaceAll("");
      boolean ofMethod =
          METHOD.matcher(declaration).lookingAt() && !TYPE.matcher(declaration).find();
      if (FRAGMENT.matcher(text).lookingAt()
          || (ofMethod && FRAGMENT_OF_METHOD.matcher(text).lookingAt())) {
        places.add(javadoc.start(1));
      }
    }
    return places;
  }

  private static List<Path> mainSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    Path main = Path.of("src", "main", "java");
    Files.walkFileTree(
        CHECKOUT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            return name.equals("target") || name.startsWith(".")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            boolean isMain = file.getParent().toString().contains(main.toString());
            if (isMain && file.toString().endsWith(".java")) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }
}
