package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The values of one record's fields, by their index in a {@link FieldPlan}, whatever the format. It
 * is filled again and again. Equal values of any format are equal here: whole numbers are longs,
 * others doubles.
 *
 * <p>Not thread-safe.
 */
public final class FieldValues {

  /** What a field holds. */
  public enum Kind {
    /** The field is absent or null. */
    MISSING,
    LONG,
    DOUBLE,
    BOOLEAN,
    TEXT,
    /**
     * Text of a format that has nothing else, as csv: it may stand for a number, too. Or the digits
     * of a whole number beyond the range of longs.
     */
    CELL,
    /** An array, where the plan wants it whole. */
    LIST,
    /** Another array, an object, bytes: nothing that can be a feature. */
    OTHER
  }

  private final Kind[] kinds;
  private final long[] longs;
  private final double[] doubles;
  private final Object[] objects;
  private final FieldTexts texts;

  /** Numbers that stand for a missing value. */
  private final double[] missing;

  /** One for each field that may be a list, used again; null for the others. */
  private final FieldValues[] lists;

  private final List<FieldValues> steps = new ArrayList<>();
  private final int stepFields;
  private int stepCount;
  private int mostSteps = Integer.MAX_VALUE;

  public FieldValues(FieldPlan plan) {
    this(plan, FieldTexts.DEFAULT);
  }

  /** Makes values whose texts say what is missing, and how numbers are written. */
  public FieldValues(FieldPlan plan, FieldTexts texts) {
    this(plan.fields().size(), plan.stepFields().size(), texts);
    plan.lists().forEach(field -> lists[field] = new FieldValues(0, 1, texts));
  }

  private FieldValues(int fields, int stepFields, FieldTexts texts) {
    this.texts = texts;
    this.missing = texts.missingNumbers();
    this.kinds = new Kind[fields];
    this.longs = new long[fields];
    this.doubles = new double[fields];
    this.objects = new Object[fields];
    this.lists = new FieldValues[fields];
    this.stepFields = stepFields;
    clear();
  }

  /** Makes all fields missing, and takes out all steps. */
  public void clear() {
    Arrays.fill(kinds, Kind.MISSING);
    stepCount = 0;
  }

  /** Returns the index of the last planned field. */
  int lastField() {
    return kinds.length - 1;
  }

  public Kind kind(int field) {
    return kinds[field];
  }

  public long longAt(int field) {
    return longs[field];
  }

  public double doubleAt(int field) {
    return doubles[field];
  }

  public boolean booleanAt(int field) {
    return longs[field] != 0;
  }

  /** Returns what a text or a cell says. */
  public String textAt(int field) {
    return kinds[field] == Kind.CELL
        ? new String(
            (byte[]) objects[field], cellStart(field), cellEnd(field) - cellStart(field), UTF_8)
        : (String) objects[field];
  }

  /**
   * The decimal number that a text or a cell stands for, infinite beyond doubles; NaN if for none.
   */
  public double number(int field) {
    return kinds[field] == Kind.CELL
        ? texts.number((byte[]) objects[field], cellStart(field), cellEnd(field))
        : texts.number((String) objects[field]);
  }

  /** The text of a value as a word: a number with its decimal point, however the text writes it. */
  String wordAt(int field) {
    return texts.withPoint(textAt(field));
  }

  /** Whether a text stands for a missing value. With a fraction, -999.0 is the word -999, too. */
  boolean isMissing(String text) {
    if (texts.isMissing(text)) {
      return true;
    }
    if (missing.length == 0 || text.indexOf(texts.decimal()) < 0) {
      return false;
    }
    double number = texts.number(text);
    return !Double.isNaN(number) && isMissing(number);
  }

  private boolean isMissing(double number) {
    for (double word : missing) {
      if (number == word || (Double.isNaN(number) && Double.isNaN(word))) {
        return true;
      }
    }
    return false;
  }

  /** The word that a text is as the cell of a table. */
  String wordOf(String text) {
    return CellWord.of(texts.withPoint(text));
  }

  private int cellStart(int field) {
    return (int) (longs[field] >>> Integer.SIZE);
  }

  private int cellEnd(int field) {
    return (int) longs[field];
  }

  /** Returns what a field of the kind {@code OTHER} holds, in words: {@code an array}. */
  public String otherAt(int field) {
    return (String) objects[field];
  }

  /** Takes a value out again. */
  public void setMissing(int field) {
    kinds[field] = Kind.MISSING;
  }

  /** Sets a whole number; one that is a word for a missing value leaves the field missing. */
  public void setLong(int field, long value) {
    kinds[field] = isMissing((double) value) ? Kind.MISSING : Kind.LONG;
    longs[field] = value;
  }

  /**
   * Sets a number that may have a fraction. A whole one in the range of longs becomes a long; a
   * word for a missing value leaves the field missing.
   */
  public void setDouble(int field, double value) {
    long whole = (long) value;
    if (whole == value && whole != Long.MAX_VALUE) {
      setLong(field, whole);
    } else {
      kinds[field] = isMissing(value) ? Kind.MISSING : Kind.DOUBLE;
      doubles[field] = value;
    }
  }

  /** Sets a whole number of any size; one beyond the range of longs keeps its digits as a cell. */
  public void setWhole(int field, BigInteger value) {
    if (value.bitLength() < Long.SIZE) {
      setLong(field, value.longValue());
    } else {
      byte[] digits = value.toString().getBytes(UTF_8);
      setCell(field, digits, 0, digits.length);
    }
  }

  public void setBoolean(int field, boolean value) {
    kinds[field] = Kind.BOOLEAN;
    longs[field] = value ? 1 : 0;
  }

  /** Sets a text; a word for a missing value leaves the field missing. */
  public void setText(int field, String value) {
    kinds[field] = isMissing(value) ? Kind.MISSING : Kind.TEXT;
    objects[field] = value;
  }

  /**
   * Sets a cell; a word for a missing value leaves the field missing.
   *
   * @param text UTF-8, not to be changed as long as the values are used
   */
  public void setCell(int field, byte[] text, int from, int to) {
    boolean isMissing =
        !texts.missing().isEmpty() && isMissing(new String(text, from, to - from, UTF_8));
    kinds[field] = isMissing ? Kind.MISSING : Kind.CELL;
    objects[field] = text;
    longs[field] = (long) from << Integer.SIZE | to;
  }

  /**
   * Sets what can be no feature.
   *
   * @param what it holds, in words: {@code an array}
   */
  public void setOther(int field, String what) {
    kinds[field] = Kind.OTHER;
    objects[field] = what;
  }

  /**
   * Makes a field an empty list.
   *
   * @param field one of the plan's {@linkplain FieldPlan#lists lists}
   * @return takes the elements: each is the only field of a {@linkplain #addStep step}
   */
  public FieldValues setList(int field) {
    lists[field].clear();
    setList(field, lists[field]);
    return lists[field];
  }

  /** Makes a field the same list as another is. */
  void setList(int field, FieldValues list) {
    kinds[field] = Kind.LIST;
    objects[field] = list;
  }

  /** Returns the elements of a list, each the only field of a step. */
  public FieldValues listAt(int field) {
    return (FieldValues) objects[field];
  }

  /** Keeps no elements of lists behind that many, and only counts them. */
  void limitLists(int most) {
    for (FieldValues list : lists) {
      if (list != null) {
        list.limitSteps(most);
      }
    }
  }

  /** Keeps no steps behind that many, and only counts them. */
  public void limitSteps(int most) {
    mostSteps = most;
  }

  /** A further step of the sequence, all of whose fields are missing. */
  public FieldValues addStep() {
    int place = Math.min(stepCount++, mostSteps);
    if (place == steps.size()) {
      steps.add(new FieldValues(stepFields, 0, texts));
    }
    FieldValues step = steps.get(place);
    step.clear();
    return step;
  }

  /** Returns how many steps were added; of a limited number, more than are kept. */
  public int steps() {
    return stepCount;
  }

  public FieldValues step(int number) {
    return steps.get(number);
  }
}
