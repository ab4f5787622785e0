package dev.millrace.simulate.check;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What has to hold of a model that a person has put back, while nobody writes. */
final class Held {

  private static final String POINTERS = "10 pointers name the model that a person has put back";

  private static final Pattern VERSION = Pattern.compile("\"version\"\\s*:\\s*\"([^\"]+)\"");
  private static final Pattern ARCHIVE = Pattern.compile("\"archive\"\\s*:\\s*\"([^\"]+)\"");
  private static final Pattern COMMITTED = Pattern.compile("\"committed\"\\s*:\\s*true");

  private final Checks checks;

  Held(Checks checks) {
    this.checks = checks;
  }

  /** A model is put back, and nobody is at it. */
  void look(Map<String, byte[]> files) {
    String held = text(files, "held.json");
    List<String> pointers =
        COMMITTED.matcher(held).find()
            ? List.of("latest.json", "committed.json")
            : List.of("latest.json");
    for (String pointer : pointers) {
      checks.require(
          POINTERS,
          found(VERSION, held).equals(found(VERSION, text(files, pointer))),
          () -> "%s says %s, and held.json %s".formatted(pointer, text(files, pointer), held));
    }
    checks.require(
        POINTERS,
        pointers.size() == 2 || !files.containsKey("committed.json"),
        () -> "a model that isn't committed is held, and committed.json is there");
    checks.require(
        POINTERS,
        files.containsKey(found(ARCHIVE, held)),
        () -> "what is held isn't there: " + held);
  }

  private static String text(Map<String, byte[]> files, String name) {
    return new String(files.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }
}
