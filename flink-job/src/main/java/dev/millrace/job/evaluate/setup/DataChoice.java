package dev.millrace.job.evaluate.setup;

import dev.millrace.job.options.InvalidOptionsException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which data to evaluate on, as a person writes it.
 *
 * @param kind what stands in front of the colon
 * @param rest what stands behind it, without the part
 * @param partOrNull which part of a set is asked for, if any
 */
record DataChoice(String kind, String rest, Part partOrNull) {

  static final String KINDS =
      "idx:DIR, csv:FILE[,holdout=ROWS], digits:COUNT[,SEED], each with ,part=holdout or"
          + " ,part=training behind it if need be; json:FILE; or topic:NAME";

  static final String TOPIC = "topic";
  static final String JSON = "json";

  private static final Pattern FORM =
      Pattern.compile("(idx|csv|digits|json|topic):(.+?)(?:,part=([^,]*))?");

  /** Examples to learn from, or those that are not learned from. */
  enum Part {
    TRAINING,
    HOLDOUT;

    String text() {
      return this == TRAINING ? "training" : "holdout";
    }
  }

  /**
   * @throws InvalidOptionsException if the text describes no data
   */
  static DataChoice parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw invalid(text, "it must be " + KINDS);
    }
    DataChoice choice =
        new DataChoice(matcher.group(1), matcher.group(2), part(text, matcher.group(3)));
    if (choice.partOrNull != null && !choice.isSet()) {
      throw invalid(text, "%s has no parts; leave out ,part=".formatted(choice.kind));
    }
    return choice;
  }

  private static Part part(String text, String name) {
    if (name == null) {
      return null;
    }
    for (Part part : Part.values()) {
      if (part.text().equals(name)) {
        return part;
      }
    }
    throw invalid(text, "part must be holdout or training, not '%s'".formatted(name));
  }

  /** Whether it has a part to learn from and one to measure by. */
  boolean isSet() {
    return !kind.equals(TOPIC) && !kind.equals(JSON);
  }

  /** Returns the source without the part. */
  String source() {
    return kind + ":" + rest;
  }

  static InvalidOptionsException invalid(String text, String problem) {
    return new InvalidOptionsException(List.of("--data is '%s'; %s".formatted(text, problem)));
  }
}
