package dev.millrace.cli.describe;

import dev.millrace.example.IsoTime;
import dev.millrace.fields.FieldTexts;
import dev.millrace.fields.SchemaField;
import dev.millrace.fields.TimeUnit;
import dev.millrace.file.CellTexts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the values of one field are, in a sample. It is {@linkplain #settle settled} when it is
 * known what texts stand for; before that, words that may mean a missing value and numbers with a
 * comma stand aside.
 *
 * <p>Not thread-safe.
 */
final class FieldProfile {

  /** Distinct words that are kept. */
  static final int MOST_WORDS = 10_000;

  /** Distinct numbers that are kept of a field that has nothing else. */
  static final int MOST_NUMBERS = 1000;

  private static final int LONGEST_WORD = 256;
  private static final Duration DAY = Duration.ofDays(1);

  private static final Pattern LEADING_ZERO = Pattern.compile("[+-]?0\\d.*");
  private static final Pattern THOUSANDS = Pattern.compile("[+-]?[1-9]\\d{0,2}(,\\d{3})+");
  private static final Pattern BASE64 =
      Pattern.compile("([A-Za-z0-9+/]{4})+|([A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}([A-Za-z0-9+/]=|==)");

  private final String path;
  private final Set<String> maybeMissing;
  private final int mostNumbers;
  private final Map<String, Long> words = new TreeMap<>();
  private final Map<String, Long> absent = new TreeMap<>();
  private final NumberRange plain = new NumberRange();
  private final NumberRange pointed = new NumberRange();
  private final NumberRange commas = new NumberRange();
  private NumberRange numbers = plain;
  private long present;
  private long booleans;
  private long times;
  private long others;
  private long texts;
  private long characters;
  private int shortest = Integer.MAX_VALUE;
  private int longest;
  private long spaced;
  private long quoted;
  private long codes;
  private long thousands;
  private long encoded;
  private boolean signsOfBase64;
  private boolean longWords;
  private boolean manyWords;
  private boolean manyNumbers;
  private ListProfile listsOrNull;
  private boolean numericLists = true;
  private boolean wholeLists = true;
  private DistinctCount distinctOrNull;
  private Optional<String> separator;
  private SchemaField schema;

  /**
   * @param maybeMissing words that may stand for a missing value
   * @param mostNumbers distinct numbers that are kept: fewer where there are many fields
   */
  FieldProfile(String path, Set<String> maybeMissing, int mostNumbers) {
    this.path = path;
    this.maybeMissing = maybeMissing;
    this.mostNumbers = mostNumbers;
  }

  /** Takes in what a schema says of it. */
  void declare(SchemaField field) {
    schema = field;
  }

  /** Returns the words that its schema names; none where it names none. */
  List<String> symbols() {
    return schema == null ? List.of() : schema.words();
  }

  /** Whether its schema says that it may be missing. */
  boolean isNullable() {
    return schema != null && schema.isNullable();
  }

  /** Returns the unit of a time that is a number, as its schema says; empty where it is no time. */
  Optional<TimeUnit> timeUnit() {
    if (schema == null) {
      return Optional.empty();
    }
    return switch (schema.kind()) {
      case DAYS -> Optional.of(TimeUnit.DAYS);
      case MILLISECONDS -> Optional.of(TimeUnit.MILLISECONDS);
      case MICROSECONDS -> Optional.of(TimeUnit.MICROSECONDS);
      case NANOSECONDS -> Optional.of(TimeUnit.NANOSECONDS);
      default -> Optional.empty();
    };
  }

  /** Takes in a cell of a table: text that may stand for anything. */
  void cell(String text) {
    if (!text.isEmpty() && CellTexts.isTruth(text) && !maybeMissing.contains(text)) {
      truth(text);
    } else if (!text.isEmpty()) {
      written(text);
    }
  }

  void number(double value, String text) {
    present++;
    plain.add(value);
    numberWord(text);
  }

  private void numberWord(String text) {
    boolean alone = plain.count() + pointed.count() + commas.count() == present;
    if (alone && words.size() >= mostNumbers && !words.containsKey(text)) {
      manyNumbers = true;
      countDistinct(text);
    } else {
      word(text);
    }
  }

  void truth(String text) {
    present++;
    booleans++;
    word(text);
  }

  /** Takes in a text that JSON has in quotes. */
  void text(String text) {
    quoted += CellTexts.isNumber(text) ? 1 : 0;
    written(text);
  }

  private void written(String text) {
    if (maybeMissing.contains(text)) {
      absent.merge(text, 1L, Long::sum);
      return;
    }
    present++;
    double number = FieldTexts.DEFAULT.number(text);
    if (!Double.isNaN(number)) {
      codes += LEADING_ZERO.matcher(text).matches() ? 1 : 0;
      (text.indexOf('.') < 0 ? plain : pointed).add(number);
      numberWord(text);
    } else if (CellTexts.isCommaNumber(text)) {
      thousands += THOUSANDS.matcher(text).matches() ? 1 : 0;
      commas.add(FieldTexts.DEFAULT.number(text.replace(',', '.')));
      numberWord(text);
    } else {
      words(text);
    }
  }

  private void words(String text) {
    texts++;
    times += CellTexts.isTime(text) ? 1 : 0;
    characters += text.length();
    shortest = Math.min(shortest, text.length());
    longest = Math.max(longest, text.length());
    spaced += text.indexOf(' ') >= 0 ? 1 : 0;
    if (BASE64.matcher(text).matches()) {
      encoded++;
      signsOfBase64 |= text.matches(".*[=+/].*");
    }
    if (text.length() > LONGEST_WORD) {
      longWords = true;
      manyWords = true;
      countDistinct(text);
    } else {
      word(text);
    }
  }

  /**
   * Takes in an array of values.
   *
   * @param numbers whether all of them are
   * @param whole whether they are whole, too, and none is below 0
   */
  void list(List<String> elements, boolean numbers, boolean whole) {
    present++;
    numericLists &= numbers;
    wholeLists &= whole;
    if (listsOrNull == null) {
      listsOrNull = new ListProfile();
    }
    listsOrNull.add(elements);
  }

  /** Takes in an array, or something else that is no value. */
  void other() {
    present++;
    others++;
  }

  private void word(String text) {
    if (words.size() < MOST_WORDS || words.containsKey(text)) {
      words.merge(text, 1L, Long::sum);
    } else {
      manyWords = true;
      countDistinct(text);
    }
  }

  /** Words that aren't kept are estimated; those that are kept aren't among them. */
  private void countDistinct(String text) {
    if (distinctOrNull == null) {
      distinctOrNull = new DistinctCount();
    }
    distinctOrNull.add(text);
  }

  /** Counts what stood aside as what it is. */
  void settle(FieldTexts forms) {
    absent.forEach(
        (word, count) -> {
          if (!forms.isMissing(word)) {
            present += count;
            texts += count;
            characters += count * word.length();
            words.merge(word, count, Long::sum);
          }
        });
    numbers = new NumberRange();
    numbers.addAll(plain);
    numbers.addAll(forms.decimal() == '.' ? pointed : commas);
  }

  String path() {
    return path;
  }

  /** Words that may stand for a missing value, and how often. */
  Map<String, Long> absent() {
    return absent;
  }

  /** Distinct values by their text, at most {@value #MOST_WORDS}; in order. */
  Map<String, Long> words() {
    return words;
  }

  /** Whether there are more distinct values than are kept. */
  boolean hasManyWords() {
    return manyWords || manyNumbers;
  }

  /** Whether some text is longer than a word may be. */
  boolean hasLongWords() {
    return longWords;
  }

  long present() {
    return present;
  }

  NumberRange range() {
    return numbers;
  }

  long numbers() {
    return numbers.count();
  }

  /** Numbers with a decimal point, and with a comma. */
  long pointed() {
    return pointed.count();
  }

  long commas() {
    return commas.count();
  }

  /** Whether all numbers with a comma may be whole, with commas between thousands. */
  boolean mayBeThousands() {
    return commas.count() > 0 && thousands == commas.count();
  }

  /** Whether nearly all values would be numbers with this decimal sign. */
  boolean areMostlyNumbers(char decimal) {
    long count = plain.count() + (decimal == '.' ? pointed : commas).count();
    return count > 0 && isMost(count);
  }

  boolean areMostlyNumbers() {
    return numbers.count() > 0 && isMost(numbers.count());
  }

  private boolean isMost(long count) {
    return 20 * (present - count) < present;
  }

  boolean areNumbers() {
    return present > 0 && numbers.count() == present;
  }

  /** Whether some numbers begin with a 0, as codes do. */
  boolean areCodes() {
    return codes > 0;
  }

  /** Whether JSON has numbers in quotes. */
  boolean areQuoted() {
    return quoted > 0;
  }

  boolean areWhole() {
    return areNumbers() && numbers.areWhole();
  }

  boolean areBooleans() {
    return present > 0 && booleans == present;
  }

  boolean areMostlyTimes() {
    return times > 0 && isMost(times);
  }

  /** Whether some of its times aren't midnight in UTC, as those of dates are. */
  boolean haveHours() {
    return words.keySet().stream().anyMatch(this::hasHour);
  }

  private boolean hasHour(String word) {
    Optional<TimeUnit> unit = timeUnit();
    if (unit.isPresent()) {
      try {
        return unit.get().toMillis(FieldTexts.DEFAULT.number(word)) % DAY.toMillis() != 0;
      } catch (ArithmeticException e) {
        // A number that stands for no time, such as the greatest long.
        return false;
      }
    }
    return CellTexts.isTime(word) && IsoTime.inUtc(word) % DAY.toMillis() != 0;
  }

  /** Whether all texts look like bytes. */
  boolean areBase64() {
    return present > 0 && encoded == present && signsOfBase64;
  }

  /** Whether some values are arrays or objects. */
  boolean hasOthers() {
    return others > 0 || listsOrNull != null;
  }

  /** Characters of a text, on average. */
  double length() {
    return (double) characters / Math.max(1, texts);
  }

  /** Whether most texts are several words. */
  boolean isProse() {
    return 2 * spaced > present;
  }

  /** Whether all texts are of one length, without spaces, as UUIDs are. */
  boolean areTokens() {
    return texts > 0 && texts == present && spaced == 0 && shortest == longest;
  }

  /** Whether nearly each record has a value of its own. */
  boolean isUnique() {
    return 10 * distinct() > 9 * present;
  }

  /** Returns how many distinct values there are; of more than are kept it is an estimate. */
  long distinct() {
    return words.size() + (distinctOrNull == null ? 0 : distinctOrNull.estimate());
  }

  /** Whether its numbers name things, as its own name says. */
  boolean areNamedIds() {
    return areWhole()
        && pointed.count() == 0
        && numbers.least() >= 0
        && timeUnit().isEmpty()
        && IdName.is(path);
  }

  /** Whether its arrays are lists of ids: of words, or of whole numbers that are no vectors. */
  boolean areLists() {
    return listsOrNull != null
        && listsOrNull.lists() == present
        && listsOrNull.repeats()
        && (!numericLists || (wholeLists && listsOrNull.varies()));
  }

  /** Whether its arrays have been found to hold numbers that measure something. */
  boolean hasVectors() {
    return listsOrNull != null && numericLists && !wholeLists;
  }

  /** Returns how many distinct elements its arrays have. */
  long elements() {
    return listsOrNull.distinct();
  }

  /** Returns the separator of texts that are lists; empty where they are none. */
  String separator() {
    if (separator == null) {
      separator = longWords ? Optional.empty() : Separator.of(words.keySet());
    }
    return separator.orElse("");
  }
}
