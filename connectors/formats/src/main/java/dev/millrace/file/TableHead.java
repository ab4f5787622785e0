package dev.millrace.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The first line of a table, and whether it names the columns. All that reads tables decides it
 * here.
 *
 * <p>A line that numbers the columns is a header. A word above a column of numbers, times or
 * booleans makes one, too. What is in the column below it again makes a row, and so does a time, a
 * boolean or a fraction above others. Where there is neither, different words are a header. Where
 * there are both, or a word is the only one of its kind above words, nobody can tell.
 *
 * <p>Not thread-safe.
 */
public final class TableHead {

  /** What the first line is. */
  public enum Kind {
    NAMES,
    ROW,
    DOUBTFUL
  }

  private static final int MOST_ROWS = 1000;
  private static final int MOST_CELLS = 1_000_000;

  /** Columns of a table whose header may be numbers: in fewer, a row may well look like that. */
  private static final int LEAST_NUMBERED = 4;

  private final Path file;
  private final long line;
  private final List<String> cells;
  private List<String> names;
  private final Kind kind;
  private final String reason;

  private TableHead(
      Path file, long line, List<String> cells, List<ColumnHead> columns, IntPredicate counts) {
    this.file = file;
    this.line = line;
    this.cells = cells;
    List<ColumnHead> counted =
        IntStream.range(0, columns.size()).filter(counts).mapToObj(columns::get).toList();
    ColumnHead name = counted.stream().filter(ColumnHead::isAName).findFirst().orElse(null);
    ColumnHead value = counted.stream().filter(ColumnHead::isAValue).findFirst().orElse(null);
    long nameless = counted.stream().filter(ColumnHead::isEmpty).count();
    long words = counted.stream().filter(ColumnHead::isWord).count();
    if (numbersColumns(-1) || numbersColumns(0) || numbersColumns(1)) {
      this.kind = Kind.NAMES;
      this.reason = "";
    } else if (name != null && value != null) {
      this.kind = Kind.DOUBTFUL;
      this.reason =
          "\"%s\" stands above numbers or the like, and \"%s\" is such a value as its column has"
              .formatted(name.text(), value.text());
    } else if (name != null && nameless > words) {
      this.kind = Kind.DOUBTFUL;
      this.reason =
          "\"%s\" stands above numbers or the like, and most cells are empty"
              .formatted(name.text());
    } else if (name != null || value != null) {
      this.kind = name != null ? Kind.NAMES : Kind.ROW;
      this.reason = "";
    } else if (areNames(counted)) {
      this.kind = Kind.NAMES;
      this.reason = "";
    } else {
      this.reason = doubt(counted);
      this.kind = reason.isEmpty() ? Kind.ROW : Kind.DOUBTFUL;
    }
  }

  /**
   * Returns why a line may name the columns that looks neither like names nor like values; or
   * empty.
   */
  private static String doubt(List<ColumnHead> columns) {
    if (columns.stream().allMatch(column -> column.isWord() || column.isEmpty())
        && columns.stream().anyMatch(ColumnHead::isWord)) {
      return "it has words alone, and two columns have one name or none";
    }
    return columns.stream().allMatch(ColumnHead::mayBeAName)
        ? columns.stream()
            .filter(ColumnHead::isAlone)
            .findFirst()
            .map(
                lone ->
                    "\"%s\" is in its column once, and other words again".formatted(lone.text()))
            .orElse("")
        : "";
  }

  /**
   * Looks at the first rows of a file.
   *
   * @throws IOException if it can't be read or is empty, or its names aren't UTF-8
   */
  public static TableHead of(Path file, char separator) throws IOException {
    return of(file, separator, column -> true);
  }

  /**
   * Looks at some columns of a file's first rows.
   *
   * @param counts of a column, whether it is looked at
   * @throws IOException as {@link #of(Path, char)}
   */
  static TableHead of(Path file, char separator, IntPredicate counts) throws IOException {
    try (CsvRows rows = CsvRows.open(file, separator)) {
      if (!rows.next()) {
        throw new IOException("%s is empty: expected rows".formatted(file));
      }
      List<String> cells = rows.row().getFields().stream().map(String::strip).toList();
      long line = rows.line();
      List<ColumnHead> columns = cells.stream().map(ColumnHead::new).toList();
      long seen = 0;
      for (int row = 0; row < MOST_ROWS && seen < MOST_CELLS && nextOf(rows); row++) {
        List<String> below = rows.row().getFields();
        for (int i = 0; i < Math.min(below.size(), columns.size()); i++) {
          columns.get(i).add(below.get(i).strip());
        }
        seen += below.size();
      }
      TableHead head = new TableHead(file, line, cells, columns, counts);
      if (head.kind == Kind.NAMES && !cells.stream().allMatch(FileInput::isText)) {
        throw new IOException(
            "%s, line %s: the names of the columns are not UTF-8; convert the file"
                .formatted(file, line));
      }
      return head;
    }
  }

  /** Whoever reads the rows tells of one that can't be read. */
  private static boolean nextOf(CsvRows rows) {
    try {
      return rows.next();
    } catch (IOException e) {
      return false;
    }
  }

  public Kind kind() {
    return kind;
  }

  /** Returns where the first row begins in the file, counted from 1. */
  public long line() {
    return line;
  }

  /** The first line's cells, without space around them. */
  public List<String> cells() {
    return cells;
  }

  /**
   * Names of the columns, if the first line names them: all different. A column without a name is
   * called by its place, {@code column_1}; further ones of a name have a number, {@code temp_2}.
   */
  public List<String> names() {
    if (names == null) {
      names = named(cells);
    }
    return names;
  }

  /** The columns that have a name which another column before them has. */
  public Set<Integer> repeated() {
    Set<Integer> repeated = new HashSet<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < cells.size(); i++) {
      if (!seen.add(cells.get(i)) && !isNameless(i)) {
        repeated.add(i);
      }
    }
    return repeated;
  }

  /** Whether a column has no name. */
  public boolean isNameless(int column) {
    return cells.get(column).isEmpty();
  }

  /**
   * Whether the first line names the columns.
   *
   * @throws IOException if nobody can tell, saying why and what to do
   */
  public boolean requireNames() throws IOException {
    if (kind == Kind.DOUBTFUL) {
      throw new IOException(
          ("%s, line %s: it may name the columns or be a row, since %s. Give the columns their"
                  + " names, --input.csv.columns a,b,c: those of the line, if it names them")
              .formatted(file, line, reason));
    }
    return kind == Kind.NAMES;
  }

  /** Returns what to throw where the first line names other columns than are asked for. */
  IOException lacks(String what) {
    return new IOException(
        "%s, line %s: it names the columns %s, and %s"
            .formatted(file, line, String.join(", ", names()), what));
  }

  private static List<String> named(List<String> cells) {
    Set<String> taken = new HashSet<>(cells);
    Map<String, Integer> count = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      String name = name(cells.get(i), i);
      boolean placed = cells.get(i).isEmpty() && taken.contains(name);
      int number = placed ? count.getOrDefault(name, 1) + 1 : count.getOrDefault(name, 0) + 1;
      while (number > 1 && !taken.add(name + "_" + number)) {
        number++;
      }
      count.put(name, number);
      names.add(number == 1 ? name : name + "_" + number);
    }
    return List.copyOf(names);
  }

  /** A first name is often written behind a sign of comments. */
  private static String name(String cell, int column) {
    String line = cell.replaceAll("\\s+", " ");
    String bare = column == 0 ? line.replaceFirst("^#\\s*(?=\\S)", "") : line;
    return bare.isEmpty() ? "column_" + (column + 1) : bare;
  }

  private static boolean areNames(List<ColumnHead> columns) {
    List<String> names =
        columns.stream().filter(column -> !column.isEmpty()).map(ColumnHead::text).toList();
    return columns.size() - names.size() <= 1
        && !names.isEmpty()
        && columns.stream().allMatch(column -> column.isEmpty() || column.isWord())
        && new HashSet<>(names).size() == names.size();
  }

  /**
   * Whether all columns are named by their numbers, but for a label at an end that is named by a
   * word: pandas' names where nobody gave any.
   */
  private boolean numbersColumns(int first) {
    int last = cells.size() - 1;
    int numbered = 0;
    for (int i = 0; i <= last; i++) {
      if (cells.get(i).equals(Integer.toString(first + i))) {
        numbered++;
      } else if ((i > 0 && i < last) || CellTexts.isNumber(cells.get(i))) {
        return false;
      }
    }
    return cells.size() >= LEAST_NUMBERED && numbered >= last;
  }
}
