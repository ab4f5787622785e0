package dev.millrace.serve;

import dev.millrace.job.follow.PredictedMembers;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records as they stand in a topic of JSON, read as a job reads them: a record is the same example
 * here and there. Answers are what predictions in a topic have.
 */
final class RecordForm implements Form {

  private final String name;
  private final int maxRows;

  /** A reader keeps scratch space, so each is of one request at a time. */
  private final Queue<RecordReader> idle = new ConcurrentLinkedQueue<>();

  /**
   * @param name that clients call the model by
   */
  RecordForm(String name, int maxRows) {
    this.name = name;
    this.maxRows = maxRows;
  }

  @Override
  public InferRequest read(ServedModel model, byte[] body, int length)
      throws RefusedRequestException {
    RecordReader reader = readerOf(model.spec().shape());
    try {
      return reader.read(body, length);
    } finally {
      // Also behind a refused request: clients send these in any number.
      idle.add(reader);
    }
  }

  private RecordReader readerOf(ExampleShape shape) throws RefusedRequestException {
    RecordReader reader = idle.poll();
    // Another model may take other examples, after a restart of training.
    return reader != null && reader.shape().equals(shape)
        ? reader
        : RecordReader.of(shape, maxRows);
  }

  @Override
  public byte[] write(InferRequest request, Answer answer) {
    ServedModel model = answer.model();
    ExampleShape shape = model.spec().shape();
    PredictedMembers members = new PredictedMembers(shape, model.classes());
    return Json.object(
        generator -> {
          generator.writeStringField("model_name", name);
          generator.writeStringField("model_version", model.version().toString());
          generator.writeArrayFieldStart("predictions");
          for (int row = 0; row < request.rows(); row++) {
            int from = row * shape.labels();
            generator.writeStartObject();
            members.write(
                generator, Arrays.copyOfRange(answer.outputs(), from, from + shape.labels()));
            generator.writeEndObject();
          }
          generator.writeEndArray();
        });
  }
}
