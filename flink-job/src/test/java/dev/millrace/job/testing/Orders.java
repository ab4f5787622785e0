package dev.millrace.job.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** The same records in every format that holds named fields. */
public record Orders(double amount, long items, String country, boolean repeated, boolean fraud) {

  private static final String[] COUNTRIES = {"de", "fr", "it", "ja ☂", "1"};

  /** Of the schema's ids in a registry. */
  public static final int SCHEMA_ID = 7;

  public static final String SCHEMA =
      """
      {"type":"record","name":"Order","fields":[
        {"name":"amount","type":"double"},{"name":"items","type":"long"},
        {"name":"country","type":"string"},{"name":"repeated","type":"boolean"},
        {"name":"fraud","type":"boolean"}]}
      """;

  /** The fields, as they are described for a job. */
  public static final String FIELDS =
      """
      [{"path":"amount","kind":"number","scale":"none","missing":0},
       {"path":"items","kind":"number","scale":"none","missing":0},
       {"path":"country","kind":"category","values":["de","fr","it"]},
       {"path":"country","name":"hashed","kind":"category","buckets":16},
       {"path":"repeated","kind":"boolean"},
       {"path":"fraud","role":"label","rule":"fraud == true"}]
      """;

  public static Orders next(Random random) {
    double amount = random.nextGaussian();
    long items = random.nextInt(5);
    return new Orders(
        amount,
        items,
        COUNTRIES[random.nextInt(COUNTRIES.length)],
        random.nextBoolean(),
        amount + items > 2);
  }

  /** A record's value in a format. */
  public byte[] encode(String format) throws IOException {
    return switch (format) {
      case "json" ->
          "{\"other\":[1],\"amount\":%s,\"items\":%s,\"country\":\"%s\",\"repeated\":%s,\"fraud\":%s}"
              .formatted(amount, items, country, repeated, fraud)
              .getBytes(UTF_8);
      // In the order of the schema's fields.
      case "csv" ->
          "%s,%s,%s,%s,%s".formatted(amount, items, country, repeated, fraud).getBytes(UTF_8);
      case "avro" -> avro();
      case "avro-confluent" -> withHeader(SCHEMA_ID, avro());
      case "protobuf" -> protobuf();
      case "protobuf-confluent" -> withHeader(SCHEMA_ID, withMessage(protobuf()));
      default -> throw new IllegalArgumentException(format);
    };
  }

  private byte[] avro() throws IOException {
    return avro(
        SCHEMA,
        "amount",
        amount,
        "items",
        items,
        "country",
        country,
        "repeated",
        repeated,
        "fraud",
        fraud);
  }

  /** A record of any schema, of names and values in turn. */
  public static byte[] avro(String schema, Object... namesAndValues) throws IOException {
    Schema parsed = new Schema.Parser().parse(schema);
    GenericRecord record = new GenericData.Record(parsed);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      record.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(parsed).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  public static byte[] withHeader(int schema, byte[] record) {
    return ByteBuffer.allocate(5 + record.length).put((byte) 0).putInt(schema).put(record).array();
  }

  /** The first message of its file. */
  private static byte[] withMessage(byte[] message) {
    return ByteBuffer.allocate(1 + message.length).put((byte) 0).put(message).array();
  }

  private byte[] protobuf() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeDouble(1, amount);
    if (items != 0) {
      out.writeInt64(2, items);
    }
    if (!country.isEmpty()) {
      out.writeString(3, country);
    }
    if (repeated) {
      out.writeBool(4, true);
    }
    if (fraud) {
      out.writeBool(5, true);
    }
    out.flush();
    return bytes.toByteArray();
  }

  /** The descriptors of the message {@code shop.Order}. */
  public static byte[] descriptors() {
    DescriptorProto.Builder order = DescriptorProto.newBuilder().setName("Order");
    add(order, "amount", FieldDescriptorProto.Type.TYPE_DOUBLE);
    add(order, "items", FieldDescriptorProto.Type.TYPE_INT64);
    add(order, "country", FieldDescriptorProto.Type.TYPE_STRING);
    add(order, "repeated", FieldDescriptorProto.Type.TYPE_BOOL);
    add(order, "fraud", FieldDescriptorProto.Type.TYPE_BOOL);
    return FileDescriptorSet.newBuilder()
        .addFile(
            FileDescriptorProto.newBuilder()
                .setName("order.proto")
                .setPackage("shop")
                .setSyntax("proto3")
                .addMessageType(order))
        .build()
        .toByteArray();
  }

  private static void add(
      DescriptorProto.Builder message, String name, FieldDescriptorProto.Type type) {
    int number = message.getFieldCount() + 1;
    message
        .addFieldBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }
}
