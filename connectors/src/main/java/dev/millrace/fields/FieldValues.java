package dev.millrace.fields;

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
    /** An array, an object, bytes: nothing that can be a feature. */
    OTHER
  }

  private final Kind[] kinds;
  private final long[] longs;
  private final double[] doubles;
  private final Object[] objects;
  private final List<FieldValues> steps = new ArrayList<>();
  private final int stepFields;
  private int stepCount;

  public FieldValues(FieldPlan plan) {
    this(plan.fields().size(), plan.stepFields().size());
  }

  private FieldValues(int fields, int stepFields) {
    this.kinds = new Kind[fields];
    this.longs = new long[fields];
    this.doubles = new double[fields];
    this.objects = new Object[fields];
    this.stepFields = stepFields;
    clear();
  }

  /** Makes all fields missing, and takes out all steps. */
  public void clear() {
    Arrays.fill(kinds, Kind.MISSING);
    stepCount = 0;
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

  public String textAt(int field) {
    return (String) objects[field];
  }

  /** What a field of the kind {@code OTHER} holds, in words: {@code an array}. */
  public String otherAt(int field) {
    return (String) objects[field];
  }

  public void setLong(int field, long value) {
    kinds[field] = Kind.LONG;
    longs[field] = value;
  }

  /** Sets a number that may have a fraction. A whole one in the range of longs becomes a long. */
  public void setDouble(int field, double value) {
    long whole = (long) value;
    if (whole == value && whole != Long.MAX_VALUE) {
      setLong(field, whole);
    } else {
      kinds[field] = Kind.DOUBLE;
      doubles[field] = value;
    }
  }

  public void setBoolean(int field, boolean value) {
    kinds[field] = Kind.BOOLEAN;
    longs[field] = value ? 1 : 0;
  }

  public void setText(int field, String value) {
    kinds[field] = Kind.TEXT;
    objects[field] = value;
  }

  /**
   * @param what it holds, in words: {@code an array}
   */
  public void setOther(int field, String what) {
    kinds[field] = Kind.OTHER;
    objects[field] = what;
  }

  /** A further step of the sequence, all of whose fields are missing. */
  public FieldValues addStep() {
    if (stepCount == steps.size()) {
      steps.add(new FieldValues(stepFields, 0));
    }
    FieldValues step = steps.get(stepCount++);
    step.clear();
    return step;
  }

  public int steps() {
    return stepCount;
  }

  public FieldValues step(int number) {
    return steps.get(number);
  }
}
