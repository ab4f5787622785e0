package dev.millrace.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Tables as programs and people write them, with their oddities. */
public final class RandomTable {

  private static final String[] NAMES = {
    "size",
    "price.net",
    "Größe",
    "a b",
    "it's",
    "x[0]",
    "no",
    "null",
    "1e5",
    "2019",
    "a:b",
    "#n",
    "say \"so\"",
    "{k}",
    "日付",
    "column_2",
    "temp_2",
    "- x",
    "y"
  };

  private static final String[] WORDS = {
    "red", "yes", "no", "null x", "a: b", "#c", "it's", "é", "\uD83D\uDE00", "{x}", "[y]", "*a",
        "&b",
    "!c", "%d", "@e", "`f", "a\tb", "say \"so\"", "\u0085z", "~", "on", "c,d", "e;f", "| g", "> h"
  };

  private static final String[] ABSENT = {"NA", "NaN", "?", "NULL", "", "-", "N/A"};

  private final Random random;
  private final char separator;
  private final boolean comma;
  private final int rows;
  private final StringBuilder text = new StringBuilder();
  private final boolean header;

  public RandomTable(Random random) {
    this.random = random;
    this.separator = ",;\t|".charAt(random.nextInt(4));
    this.comma = random.nextInt(4) == 0;
    this.rows = 4 + random.nextInt(60);
    this.header = random.nextInt(5) > 0;
    int columns = 2 + random.nextInt(5);
    int[] kinds = random.ints(columns, 0, 11).toArray();
    kinds[0] = random.nextBoolean() ? 0 : kinds[0];
    String end = random.nextInt(4) == 0 ? "\r\n" : "\n";
    boolean trailing = random.nextInt(8) == 0;
    above(end);
    if (header) {
      line(names(columns), trailing, end);
    }
    int ragged = random.nextInt(10) == 0 ? random.nextInt(rows) : -1;
    for (int row = 0; row < rows; row++) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < columns; i++) {
        cells.add(cell(kinds[i], row));
      }
      if (row == ragged) {
        cells.add("more");
      }
      line(cells, trailing, end);
    }
  }

  private void above(String end) {
    if (random.nextInt(6) == 0) {
      text.append('\ufeff');
    }
    if (random.nextInt(6) == 0) {
      text.append("sep=").append(separator).append(end);
    }
    if (random.nextInt(6) == 0) {
      text.append("# made by a program").append(end).append(end);
    }
  }

  private List<String> names(int columns) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      String name = NAMES[random.nextInt(NAMES.length)];
      names.add(random.nextInt(12) == 0 ? "" : i == columns - 1 ? "out" + name : name);
    }
    return names;
  }

  private String cell(int kind, int row) {
    if (random.nextInt(60) == 0) {
      return WORDS[random.nextInt(WORDS.length)];
    }
    return switch (kind) {
      case 0, 1 -> number(random.nextGaussian() * 50);
      case 2 -> random.nextInt(8) == 0 ? ABSENT[random.nextInt(ABSENT.length)] : number(row / 4.0);
      case 3 -> WORDS[random.nextInt(4)];
      case 4 -> WORDS[random.nextInt(WORDS.length)];
      case 5 ->
          String.format(
              Locale.ROOT, "2024-0%s-%02d 10:00", 1 + random.nextInt(2), 1 + random.nextInt(30));
      case 6 -> random.nextInt(9) == 0 ? "NA" : random.nextBoolean() ? "TRUE" : "FALSE";
      case 7 -> "id-" + row;
      case 8 -> "0" + (1000 + random.nextInt(20));
      case 9 -> "x".repeat(random.nextInt(400));
      default -> Integer.toString(random.nextInt(3));
    };
  }

  private String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return comma ? text.replace('.', ',') : text;
  }

  private void line(List<String> cells, boolean trailing, String end) {
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      boolean quoted =
          cell.indexOf(separator) >= 0 || cell.indexOf('"') >= 0 || random.nextInt(20) == 0;
      text.append(i == 0 ? "" : String.valueOf(separator))
          .append(quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
    }
    text.append(trailing ? String.valueOf(separator) : "").append(end);
  }

  public String text() {
    return text.toString();
  }

  /** Returns the header, or the first row. */
  public String firstLine() {
    return text()
        .replace("\ufeff", "")
        .lines()
        .filter(line -> !line.isEmpty() && !line.matches("sep=.|# made by a program"))
        .findFirst()
        .orElseThrow();
  }

  public String separator() {
    return separator == '\t' ? "\\t" : String.valueOf(separator);
  }

  public int rows() {
    return rows;
  }

  public boolean hasHeader() {
    return header;
  }
}
