package example;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Records such as {@code x=1.5 color=red}: {@code input.format: pairs}. */
public final class Pairs implements RecordFormatProvider {

  @Override
  public String name() {
    return "pairs";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return new Format(plan.fields().stream().map(FieldPath::toString).toList());
  }

  private record Format(List<String> fields) implements RecordFormat {

    @Override
    public void read(byte[] value, FieldValues into) throws InvalidExampleException {
      for (String pair : new String(value, StandardCharsets.UTF_8).split(" ", -1)) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
          throw new InvalidExampleException("name=value expected, \"" + pair + "\" found");
        }
        int field = fields.indexOf(pair.substring(0, equals));
        if (field >= 0) {
          byte[] cell = pair.substring(equals + 1).getBytes(StandardCharsets.UTF_8);
          into.setCell(field, cell, 0, cell.length);
        }
      }
    }
  }
}
