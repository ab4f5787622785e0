package dev.millrace.fields;

import java.math.BigInteger;
import java.util.List;

/** The fields of a {@link FieldPlan} that get the value of one place in a record. */
public final class Targets {

  public static final Targets NONE = new Targets(List.of());

  private final int[] fields;

  /**
   * Takes fields.
   *
   * @param fields their indices
   */
  public Targets(List<Integer> fields) {
    this.fields = fields.stream().mapToInt(Integer::intValue).toArray();
  }

  public boolean areSome() {
    return fields.length > 0;
  }

  public void setLong(FieldValues into, long value) {
    for (int field : fields) {
      into.setLong(field, value);
    }
  }

  public void setDouble(FieldValues into, double value) {
    for (int field : fields) {
      into.setDouble(field, value);
    }
  }

  public void setWhole(FieldValues into, BigInteger value) {
    for (int field : fields) {
      into.setWhole(field, value);
    }
  }

  public void setBoolean(FieldValues into, boolean value) {
    for (int field : fields) {
      into.setBoolean(field, value);
    }
  }

  public void setText(FieldValues into, String value) {
    for (int field : fields) {
      into.setText(field, value);
    }
  }

  /**
   * Makes all of them one empty list; there is at least one, and each may be a list.
   *
   * @return takes the elements, see {@link FieldValues#setList}
   */
  public FieldValues setList(FieldValues into) {
    FieldValues list = into.setList(fields[0]);
    for (int i = 1; i < fields.length; i++) {
      into.setList(fields[i], list);
    }
    return list;
  }

  /** Sets what can be no feature, in words. */
  public void setOther(FieldValues into, String what) {
    for (int field : fields) {
      into.setOther(field, what);
    }
  }
}
