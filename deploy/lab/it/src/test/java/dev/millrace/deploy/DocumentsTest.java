package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.millrace.cli.MillraceCli;
import dev.millrace.job.options.Setting;
import dev.millrace.job.setup.MillraceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Checks that pages name what is there, and that users needn't read for long. */
class DocumentsTest {

  private static final int MOST_WORDS_FOR_USERS = 25_000;

  /** Names of others that no code here uses. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "CenterLossOutputLayer",
          "DataGeneratorSource",
          "DescribeConfigs",
          "FeatureHasher",
          "FileBackedOutputStream",
          "OneHotEncoder",
          "ParallelInference",
          "SharedTrainingMaster",
          "StandardScaler",
          "UIServer",
          "UnsupportedClassVersionError",
          "VoidConfiguration",
          "Yolo2OutputLayer");

  /** Options of somebody else begin so. */
  private static final Set<String> HANDED_ON = Set.of("kafka.", "flink.", "extension.options.");

  /** A key that a page misspells on purpose, and a method in Python. */
  private static final Set<String> NO_OPTIONS = Set.of("batch.szie", "model.save");

  private static final Pattern CLASS =
      Pattern.compile("([A-Z]\\w*[a-z]\\w*(?:\\.\\w+)*)(?:\\(.*\\))?");
  private static final Pattern FULL_NAME = Pattern.compile("\\bdev\\.millrace(?:\\.\\w+)+");
  private static final Pattern OPTION =
      Pattern.compile("(?:--)?([a-z][a-z-]*(?:\\.[a-z0-9-]+)+)(\\.\\*|\\.)?(?:[:= ].*)?");
  private static final Pattern DOTTED_ARGUMENT =
      Pattern.compile("(?<= )--([a-z][a-z-]*(?:\\.[a-z0-9-]+)+)");
  private static final Pattern SQL_OPTION =
      Pattern.compile("'([a-z][a-z-]*(?:\\.[a-z0-9-]+)+)' *=");
  private static final Pattern FILE =
      Pattern.compile(".*\\.(md|html|zip|jar|json|jsonl|ya?ml|py|java|bin|onnx|pt)");
  private static final Pattern COMMAND =
      Pattern.compile("(?<![\\w.-])millrace ([a-z]+)\\b(?!:)([^|#;]*)");
  private static final Pattern ARGUMENT = Pattern.compile("(?<= )--[a-zA-Z][a-zA-Z-]*(?![\\w.-])");

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final Map<String, Setting<?>> OPTIONS =
      MillraceOptions.settings().collect(Collectors.toMap(Setting::key, setting -> setting));

  /** Words that an option's key can begin with. */
  private static final Set<String> GROUPS =
      OPTIONS.keySet().stream().map(key -> key.split("\\.", 2)[0]).collect(Collectors.toSet());

  private static List<DocumentPage> pages;
  private static NamedCode code;

  @BeforeAll
  static void read() throws IOException {
    pages = DocumentPage.all();
    code = NamedCode.read("DocumentsTest.java");
  }

  @Test
  void eachClassThatPagesNameIsInTheCode() {
    assertThat(wrong(page -> page.spans().stream().flatMap(DocumentsTest::classes), code::has))
        .isEmpty();
  }

  @Test
  void eachFullNameOnPagesIsInTheCode() {
    assertThat(wrong(page -> found(FULL_NAME, page.text()), code::hasFull)).isEmpty();
  }

  @Test
  void eachOptionThatPagesNameIsOne() {
    assertThat(
            wrong(
                page -> page.spans().stream().flatMap(DocumentsTest::options),
                DocumentsTest::isOption))
        .isEmpty();
  }

  @Test
  void eachOptionThatCommandsTakeIsOne() {
    assertThat(
            wrong(
                page ->
                    page.codeLines().stream()
                        .flatMap(line -> DOTTED_ARGUMENT.matcher(line).results())
                        .map((MatchResult argument) -> argument.group(1)),
                key -> isOption(key) || key.equals("ui.port")))
        .isEmpty();
  }

  @Test
  void eachOptionOfYamlAndSqlIsOne() {
    assertThat(
            wrong(
                page -> page.yamlBlocks().stream().flatMap(DocumentsTest::keys),
                DocumentsTest::isOption))
        .isEmpty();
    assertThat(
            wrong(
                page ->
                    page.codeLines().stream()
                        .flatMap(line -> SQL_OPTION.matcher(line).results())
                        .map((MatchResult option) -> option.group(1))
                        .filter(DocumentsTest::isOfGroup),
                DocumentsTest::isOption))
        .isEmpty();
  }

  @Test
  void eachCommandThatPagesNameIsOne() {
    CommandLine millrace = new CommandLine(MillraceCli.class);
    assertThat(
            wrong(
                page ->
                    Stream.concat(page.spans().stream(), page.codeLines().stream())
                        .flatMap(line -> COMMAND.matcher(line).results())
                        .map(MatchResult::group),
                command -> isCommand(millrace, command)))
        .isEmpty();
  }

  @Test
  void eachLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (DocumentPage page : pages) {
      page.brokenLinks().forEach(link -> broken.add(page.path() + ": " + link));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void eachPageThatCodeOrPagesNameIsThere() {
    List<String> missing = new ArrayList<>();
    code.pages().forEach((page, file) -> addIfMissing(missing, file, page));
    for (DocumentPage page : pages) {
      page.spans().stream()
          .filter(span -> span.startsWith("docs/") && span.endsWith(".md"))
          .forEach(span -> addIfMissing(missing, page.path(), span));
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void usersReadFewWords() {
    List<DocumentPage> forUsers = pages.stream().filter(DocumentPage::isForUsers).toList();
    assertThat(forUsers).hasSizeGreaterThan(10);
    assertThat(forUsers.stream().mapToLong(DocumentPage::words).sum())
        .as("words of %s", forUsers.stream().map(page -> page.path() + " " + page.words()).toList())
        .isLessThanOrEqualTo(MOST_WORDS_FOR_USERS);
  }

  /** Returns the names on the pages that aren't right, each with its page. */
  private static List<String> wrong(
      Function<DocumentPage, Stream<String>> names, Predicate<String> isRight) {
    return pages.stream()
        .flatMap(
            page ->
                names
                    .apply(page)
                    .filter(name -> !isRight.test(name))
                    .map(name -> page.path() + ": " + name))
        .distinct()
        .toList();
  }

  private static Stream<String> classes(String span) {
    Matcher name = CLASS.matcher(span);
    return name.matches()
            && !FILE.matcher(name.group(1)).matches()
            && !OF_OTHERS.contains(name.group(1))
        ? Stream.of(name.group(1))
        : Stream.empty();
  }

  /** A span that begins as an option does, with what is behind its last dot. */
  private static Stream<String> options(String span) {
    Matcher key = OPTION.matcher(span);
    return key.matches()
            && isOfGroup(key.group(1))
            && !FILE.matcher(key.group(1)).matches()
            && !code.hasFull("dev.millrace." + key.group(1))
        ? Stream.of(key.group(2) == null ? key.group(1) : key.group(1) + ".*")
        : Stream.empty();
  }

  /** Returns the keys of a block of YAML that begin as an option does. */
  private static Stream<String> keys(String yaml) {
    Set<String> keys = new TreeSet<>();
    try {
      enter(keys, "", YAML.readTree(yaml.stripIndent()));
    } catch (JsonProcessingException e) {
      return Stream.of("not YAML: " + e.getOriginalMessage());
    }
    return keys.stream().filter(DocumentsTest::isOfGroup);
  }

  private static void enter(Set<String> keys, String prefix, JsonNode node) {
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String key = prefix + entry.getKey();
      if (entry.getValue().isObject() && !OPTIONS.containsKey(key)) {
        enter(keys, key + ".", entry.getValue());
      } else {
        keys.add(key);
      }
    }
  }

  private static boolean isOfGroup(String key) {
    return GROUPS.contains(key.split("\\.", 2)[0]);
  }

  private static boolean isOption(String key) {
    return (key.endsWith(".*") && HANDED_ON.stream().noneMatch(key::startsWith))
        ? OPTIONS.keySet().stream().anyMatch(k -> k.startsWith(key.replace("*", "")))
        : OPTIONS.containsKey(key)
            || HANDED_ON.stream().anyMatch(key::startsWith)
            || NO_OPTIONS.contains(key)
            || FlinkOptions.isKnown(key);
  }

  private static boolean isCommand(CommandLine millrace, String text) {
    CommandLine command = millrace;
    for (String word : text.strip().split("\\s+", -1)) {
      CommandLine sub = command.getSubcommands().get(word);
      command = sub == null ? command : sub;
    }
    CommandLine named = command;
    return named != millrace
        && found(ARGUMENT, text)
            .allMatch(
                argument ->
                    named.getCommandSpec().optionsMap().containsKey(argument)
                        || OPTIONS.containsKey(argument.substring(2)));
  }

  private static void addIfMissing(List<String> missing, Path file, String page) {
    if (!Files.exists(DocumentPage.checkout().resolve(page))) {
      missing.add(file + ": " + page);
    }
  }

  private static Stream<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(MatchResult::group);
  }
}
