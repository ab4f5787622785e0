package dev.millrace.cli.describe;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells by a field's name whether its numbers name things, such as {@code user_id}. */
final class IdName {

  private static final Set<String> LAST = Set.of("id", "uid");

  /** Names of things, which stand alone: {@code year_of_movie} is none. */
  private static final Set<String> THINGS =
      Set.of(
          "user",
          "customer",
          "client",
          "account",
          "member",
          "visitor",
          "item",
          "product",
          "sku",
          "article",
          "movie",
          "video",
          "song",
          "track",
          "device",
          "card",
          "merchant",
          "seller");

  private static final Pattern STEPS = Pattern.compile("\\[\"|\"]|\\.");

  /** Between the words of a name: signs, and where small letters end. */
  private static final Pattern BETWEEN =
      Pattern.compile("[^\\p{L}\\p{N}]+|(?<=\\p{Ll})(?=\\p{Lu})");

  private IdName() {}

  /** Whether the last name of a path says so. */
  static boolean is(String path) {
    String[] steps = STEPS.split(path, 0);
    String[] words = steps.length == 0 ? steps : BETWEEN.split(steps[steps.length - 1], 0);
    if (words.length == 0) {
      return false;
    }
    String last = words[words.length - 1].toLowerCase(Locale.ROOT);
    return LAST.contains(last) || (words.length == 1 && THINGS.contains(last));
  }
}
