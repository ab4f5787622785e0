package dev.millrace.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What stands in a table's file above its first row: a line such as {@code sep=;}, by which Excel
 * knows the separator, comments that begin with a {@code #}, and blank lines.
 *
 * @param lines how many lines it has
 * @param separator that the file names; empty where it names none
 */
record Preamble(int lines, Optional<Character> separator) {

  private static final String SEPARATOR = "sep=";
  private static final String COMMENT = "#";

  /**
   * Reads the preamble of a file. A line that begins with a {@code #} is a header, and no comment,
   * where the row below it has as many columns, and a number in one of them.
   *
   * @throws IOException if the file can't be read
   */
  static Preamble of(Path file, char separator) throws IOException {
    FileInput.requireFile(file);
    try (BufferedReader reader = FileInput.text(file)) {
      String line = reader.readLine();
      boolean named = line != null && isSeparator(line);
      char sign = named ? line.charAt(SEPARATOR.length()) : separator;
      int above = named ? 1 : 0;
      int number = 1;
      String comment = null;
      line = named ? reader.readLine() : line;
      number += named ? 1 : 0;
      while (line != null && isAbove(line, sign)) {
        if (line.startsWith(COMMENT)) {
          above = comment == null ? above : number - 1;
          comment = line;
        }
        line = reader.readLine();
        number++;
      }
      boolean header = comment != null && line != null && isHeader(comment, line, sign);
      return new Preamble(
          comment == null || header ? above : number - 1,
          named ? Optional.of(sign) : Optional.empty());
    } catch (IOException e) {
      // Whoever reads the rows tells it, and where.
      return new Preamble(0, Optional.empty());
    }
  }

  private static boolean isSeparator(String line) {
    return line.length() == SEPARATOR.length() + 1
        && line.regionMatches(true, 0, SEPARATOR, 0, SEPARATOR.length());
  }

  private static boolean isAbove(String line, char separator) {
    return line.isBlank() || (separator != '#' && line.startsWith(COMMENT));
  }

  private static boolean isHeader(String comment, String row, char separator) {
    List<String> cells = cells(row, separator);
    return cells.size() == cells(comment, separator).size()
        && cells.stream().anyMatch(CellTexts::isNumber);
  }

  private static List<String> cells(String line, char separator) {
    return List.of(line.split(Pattern.quote(String.valueOf(separator)), -1));
  }
}
