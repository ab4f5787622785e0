package dev.millrace.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Holds the names of the project's code: its types, and all words outside of comments. */
final class NamedCode {

  private static final Set<String> CODE =
      Set.of("java", "xml", "yaml", "yml", "js", "py", "properties", "sql");

  private static final Pattern COMMENT = Pattern.compile("(?s:/\\*.*?\\*/)|(?m:^\\s*//.*$)");
  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|record|enum)\\s+(\\w+)");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern PAGE = Pattern.compile("\\bdocs/[\\w./-]+\\.md\\b");

  /** The texts of the files that declare a type of this name: some names are there twice. */
  private final Map<String, String> types = new HashMap<>();

  private final Set<String> words = new HashSet<>();
  private final Set<String> packages = new HashSet<>();
  private final Map<String, Path> pages = new HashMap<>();

  /**
   * Reads the code.
   *
   * @param quoting the name of a file whose words are those of pages
   */
  static NamedCode read(String quoting) throws IOException {
    NamedCode named = new NamedCode();
    DocumentPage.files().forEach(file -> named.enter(file, !file.endsWith(quoting)));
    return named;
  }

  private void enter(Path file, boolean hasWords) {
    String name = file.getFileName().toString();
    String kind = name.substring(name.lastIndexOf('.') + 1);
    boolean isScript = name.startsWith("Dockerfile") || file.getParent().endsWith("deploy/bin");
    if (!CODE.contains(kind) && !isScript) {
      return;
    }
    String text = text(file);
    PAGE.matcher(text).results().forEach(page -> pages.putIfAbsent(page.group(), file));
    if (kind.equals("java")) {
      String bare = COMMENT.matcher(text).replaceAll("");
      PACKAGE.matcher(bare).results().forEach(found -> packages.add(found.group(1)));
      TYPE.matcher(bare)
          .results()
          .map((MatchResult type) -> type.group(1))
          .forEach(type -> types.merge(type, bare, String::concat));
      text = bare;
    }
    if (hasWords) {
      WORD.matcher(text).results().forEach(word -> words.add(word.group()));
    }
  }

  /**
   * Whether a name such as {@code Class}, {@code Class.method} or {@code Outer.Inner} is one of the
   * code. Of a class of others only its own name is looked up.
   */
  boolean has(String name) {
    String[] parts = name.split("\\.", -1);
    String own = types.get(parts[0]);
    if (own == null) {
      return words.contains(parts[0]);
    }
    for (String part : parts) {
      if (!Pattern.compile("\\b" + part + "\\b").matcher(own).find()) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is a type or a package of this full name. */
  boolean hasFull(String name) {
    String simple = name.substring(name.lastIndexOf('.') + 1);
    return types.containsKey(simple) || packages.contains(name);
  }

  /** Returns the pages that the code names, each with a file that names it. */
  Map<String, Path> pages() {
    return pages;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
