package dev.millrace.fields.json;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.fields.RecordObjects;
import java.util.Map;

/** The format {@code json}. */
public final class JsonProvider implements RecordFormatProvider {

  @Override
  public String name() {
    return "json";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return new JsonRecords(plan);
  }

  @Override
  public RecordObjects objects(Map<String, String> options) {
    return value -> value;
  }
}
