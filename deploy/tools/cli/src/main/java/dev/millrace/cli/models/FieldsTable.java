package dev.millrace.cli.models;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.TextTable;
import dev.millrace.model.features.FeaturesFile;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The fields of a model, and what it has learned of each, as text. Of a vocabulary it has the first
 * words.
 */
final class FieldsTable {

  private static final int WORDS = 8;
  private static final int LONGEST = 24;

  private FieldsTable() {}

  /**
   * @param features as {@link FeaturesFile#write} makes it
   */
  static String text(JsonNode features) {
    TextTable table = new TextTable("field", "kind", "learned");
    Iterator<JsonNode> numbers = features.path("numbers").elements();
    Iterator<JsonNode> words = features.path("words").elements();
    long examples = features.path("examples").asLong();
    for (JsonNode field : features.path("fields").path("fields")) {
      String kind = field.path("kind").asText();
      String learned = "";
      if (kind.equals("number") && !field.path("scale").asText().equals("none")) {
        learned = numbers.hasNext() ? number(numbers.next(), examples) : "not standardized";
      } else if (field.has("words") && words.hasNext()) {
        learned = words(words.next());
      }
      table.add(name(field), kind, learned);
    }
    return table.text();
  }

  private static String name(JsonNode field) {
    return field.path("name").asText(field.path("path").asText());
  }

  private static String number(JsonNode number, long examples) {
    long count = number.path("count").asLong();
    String missing =
        count == examples ? "" : ", missing in %s".formatted(NumberText.count(examples - count));
    return "mean %s, deviation %s, of %s examples%s"
        .formatted(
            NumberText.number(number.path("mean").asDouble()),
            NumberText.number(
                count == 0 ? 0 : Math.sqrt(number.path("squares").asDouble() / count)),
            NumberText.count(count),
            missing);
  }

  private static String words(JsonNode column) {
    JsonNode words = column.path("words");
    List<String> first = new ArrayList<>();
    long known = 0;
    for (int i = 0; i < words.size(); i++) {
      known += column.path("counts").path(i).asLong();
      if (i < WORDS) {
        first.add(shortened(words.get(i).asText()));
      }
    }
    if (words.size() > WORDS) {
      first.add("…");
    }
    return "%s of %s words%s%s; %s others, %s missing"
        .formatted(
            NumberText.count(words.size()),
            NumberText.count(column.path("most").asLong()),
            first.isEmpty() ? "" : ": ",
            String.join(", ", first),
            NumberText.count(column.path("seen").asLong() - known),
            NumberText.count(column.path("missing").asLong()));
  }

  private static String shortened(String word) {
    return word.length() > LONGEST ? word.substring(0, LONGEST) + "…" : word;
  }
}
