package dev.millrace.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A page of the project's documents, in Markdown.
 *
 * @param path from the checkout's root
 */
record DocumentPage(Path path, String text) {

  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");
  private static final Path CHECKOUT = DeployFiles.DEPLOY.resolveSibling("");

  /** Tells how things were, so it may name what is gone. */
  private static final String CHANGES = "CHANGELOG.md";

  private static final Set<String> MADE = Set.of("target", "millrace-work", ".git");

  private static final Set<String> FOR_USERS =
      Set.of("start", "guides", "operate", "migrate", "reference", "trust");

  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?\n(.*?)^ *```$");
  private static final Pattern YAML = Pattern.compile("(?ms)^ *```ya?ml\n(.*?)^ *```$");
  private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

  static List<DocumentPage> all() throws IOException {
    return files().stream()
        .filter(file -> file.toString().endsWith(".md"))
        .map(CHECKOUT::relativize)
        .filter(page -> !page.startsWith(CHANGES))
        .sorted()
        .map(page -> new DocumentPage(page, read(page)))
        .toList();
  }

  /** Returns the files of the checkout, but for those that the build or a command has made. */
  static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        CHECKOUT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return MADE.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  static Path checkout() {
    return CHECKOUT;
  }

  boolean isForUsers() {
    return path.startsWith("README.md")
        || path.startsWith("docs/README.md")
        || (path.startsWith("docs") && FOR_USERS.contains(path.getName(1).toString()));
  }

  /** Counts what has a letter or a digit: the lines of tables are no words. */
  long words() {
    return WORD.matcher(text).results().count();
  }

  /** Returns what stands between backticks in the text, without blocks of code. */
  List<String> spans() {
    return groups(SPAN, prose());
  }

  /** Returns the lines of blocks of code; what a backslash continues is one line. */
  List<String> codeLines() {
    List<String> lines = new ArrayList<>();
    groups(BLOCK, text).forEach(block -> block.replace("\\\n", " ").lines().forEach(lines::add));
    return lines;
  }

  /** Returns the blocks of YAML. */
  List<String> yamlBlocks() {
    return groups(YAML, text);
  }

  /** Returns the links of the page that lead to nothing. */
  List<String> brokenLinks() throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : groups(LINK, SPAN.matcher(prose()).replaceAll(""))) {
      if (!ELSEWHERE.matcher(link).matches() && !leadsSomewhere(link)) {
        broken.add(link);
      }
    }
    return broken;
  }

  private boolean leadsSomewhere(String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path file =
        parts[0].isEmpty()
            ? CHECKOUT.resolve(path)
            : CHECKOUT.resolve(path).resolveSibling(parts[0]);
    return Files.exists(file)
        && (parts.length == 1
            || new DocumentPage(file, Files.readString(file)).anchors().contains(parts[1]));
  }

  /** Returns the names that GitHub gives to the page's headings. */
  private Set<String> anchors() {
    Set<String> anchors = new TreeSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (String heading : groups(HEADING, prose())) {
      String name =
          heading
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .strip()
              .replace(' ', '-');
      int before = seen.merge(name, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? name : name + "-" + before);
    }
    return anchors;
  }

  /** Returns the text without blocks of code. */
  String prose() {
    return BLOCK.matcher(text).replaceAll("");
  }

  private static List<String> groups(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  private static String read(Path page) {
    try {
      return Files.readString(CHECKOUT.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
