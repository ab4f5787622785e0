package dev.millrace.digits;

import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Drawn images of digits, upright in the first half and turned by a quarter in the second.
 *
 * @param count training images, at least 1
 * @param seed the same images for the same seed
 */
public record Digits(long count, long seed) implements DataSpec {

  /** The seed of those who name none. */
  public static final long DEFAULT_SEED = 1;

  static final String KIND = "digits";

  private static final Pattern FORM = Pattern.compile("(\\d{1,18})(?:,(-?\\d{1,18}))?");

  public Digits {
    if (count < 1) {
      throw new IllegalArgumentException("digits needs at least 1 image, not " + count);
    }
  }

  static Digits parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "digits takes COUNT[,SEED], as in digits:20000 or digits:20000,7, not \"%s\""
              .formatted(text));
    }
    return new Digits(
        Long.parseLong(matcher.group(1)),
        matcher.group(2) == null ? DEFAULT_SEED : Long.parseLong(matcher.group(2)));
  }

  @Override
  public ExampleSet open() {
    return new DigitExamples(count, seed);
  }

  @Override
  public String toString() {
    return KIND + ":" + count + (seed == DEFAULT_SEED ? "" : "," + seed);
  }
}
