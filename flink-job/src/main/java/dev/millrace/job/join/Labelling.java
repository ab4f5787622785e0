package dev.millrace.job.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.Serializable;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Adds label and weight to features. What the features' record holds stays as it is written.
 *
 * @param label name of the field with the label
 * @param weightOrNull name of the field with the weight; null where nothing has one
 */
public record Labelling(String label, String weightOrNull) implements Serializable {

  private static final Pattern LITERAL =
      Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?|true|false");

  /**
   * The object with the label.
   *
   * @param object that was read as a JSON object, without fields of these names
   * @param jsonLabel as JSON
   * @param weight of the example, where examples have one
   */
  byte[] add(byte[] object, String jsonLabel, double weight) {
    int end = lastOf(object, object.length);
    boolean empty = object[lastOf(object, end)] == '{';
    String more =
        (empty ? "" : ",")
            + field(label, jsonLabel)
            + (weightOrNull == null ? "" : "," + field(weightOrNull, Double.toString(weight)))
            + "}";
    byte[] tail = more.getBytes(UTF_8);
    byte[] labelled = Arrays.copyOf(object, end + tail.length);
    System.arraycopy(tail, 0, labelled, end, tail.length);
    return labelled;
  }

  /** A label as JSON: a number, true and false as they are, and everything else as a text. */
  public static String json(String label) {
    return LITERAL.matcher(label).matches() ? label : quoted(label);
  }

  /** Returns where the last byte before a place stands that isn't white space. */
  private static int lastOf(byte[] object, int before) {
    int place = before - 1;
    while (object[place] == ' '
        || object[place] == '\n'
        || object[place] == '\r'
        || object[place] == '\t') {
      place--;
    }
    return place;
  }

  private static String field(String name, String json) {
    return quoted(name) + ":" + json;
  }

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
