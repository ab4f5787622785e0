package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.example.testing.Fuzz;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;

/** Records of JSON and CSV that nobody would write, read as examples. */
public final class FuzzedTexts {

  private static final ExampleShape SHAPE = new ExampleShape(3, 2, Target.CLASSIFICATION);

  private static final String FIELDS =
      """
      [{"path":"n","kind":"number"},{"path":"t","kind":"time","parts":["hour-of-day"]},
       {"path":"c","kind":"category","buckets":8},{"path":"w","kind":"text","ngrams":3,"buckets":8},
       {"path":"b","kind":"boolean"},{"path":"u","kind":"id","dimension":2},
       {"path":"i","kind":"ids","dimension":2,"separator":"|","most":5},
       {"path":"y","role":"label"}]
      """;

  private static final List<String> JSON =
      List.of(
          "{\"features\":[1.5,-2,3e4],\"label\":1,\"weight\":2,\"id\":\"a\\u00e4\",\"timestamp\":\"2026-02-28T10:00Z\"}",
          "{\"labels\":[0,1],\"features\":[0,0.125,-9007199254740993],\"timestamp\":1700000000000,\"x\":{\"y\":[null,{}]}}");

  private static final List<String> NAMED_JSON =
      List.of(
          "{\"n\":1.5,\"t\":\"2026-02-28"
              + " 10:00:00+01\",\"c\":\"tcp\",\"w\":\"na\u00efve\",\"b\":true,\"u\":7,\"i\":[1,\"a\",null,true],\"y\":1}",
          "{\"y\":0,\"n\":12345678901234567890123,\"t\":1700000000,\"c\":7.0,\"w\":\"\",\"b\":0,\"i\":\"a||2.50| b\",\"z\":{\"n\":[1]}}");

  private static final List<String> CSV = List.of("1.5,-2,3e4,1", " 0 ,\"0.125\",7e-3,0\n");

  private static final List<String> NAMED_CSV =
      List.of(
          "1.5,2026-02-28T10:00Z,tcp,\"a \"\"b\"\"\",true,u1,a|5.0||b,1",
          "-0.0,1700000000,5.0,na\u00efve,False,,7,0\r\n");

  private FuzzedTexts() {}

  public static int json(int count) throws InterruptedException {
    return run(count, JSON, ExampleFormat.named("json", SHAPE, FormatSettings.defaults()), SHAPE);
  }

  public static int csv(int count) throws InterruptedException {
    return run(count, CSV, ExampleFormat.named("csv", SHAPE, FormatSettings.defaults()), SHAPE);
  }

  public static int namedJson(int count) throws InterruptedException {
    return named(count, NAMED_JSON, "json", Map.of());
  }

  public static int namedCsv(int count) throws InterruptedException {
    return named(count, NAMED_CSV, "csv", Map.of("csv.columns", "n\nt\nc\nw\nb\nu\ni\ny"));
  }

  private static int named(
      int count, List<String> records, String format, Map<String, String> options)
      throws InterruptedException {
    FieldsDescription fields = FieldsDescription.parse(FIELDS, null);
    ExampleShape shape = fields.shape(Target.CLASSIFICATION, 2);
    RecordFeatures features = RecordFeatures.labelled(fields, shape, List.of());
    return run(
        count,
        records,
        new FieldFormat(RecordFormats.named(format, features.plan(), options), features),
        shape);
  }

  private static int run(int count, List<String> records, ExampleFormat format, ExampleShape shape)
      throws InterruptedException {
    Example example = new Example(shape);
    return Fuzz.run(
        count,
        random -> {
          String record = records.get(random.nextInt(records.size()));
          example.reset();
          format.read(Fuzz.damaged(record.getBytes(UTF_8), random), example);
        });
  }
}
