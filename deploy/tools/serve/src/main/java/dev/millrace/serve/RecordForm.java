package dev.millrace.serve;

import dev.millrace.job.follow.PredictedMembers;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;

/**
 * Records as they stand in a topic of JSON, read as a job reads them: a record is the same example
 * here and there. Answers are what predictions in a topic have.
 */
final class RecordForm implements Form {

  private final String name;
  private final ReaderPool<RecordReader> readers;

  /**
   * @param name that clients call the model by
   */
  RecordForm(String name, int maxRows) {
    this.name = name;
    this.readers =
        new ReaderPool<>(model -> RecordReader.of(model.spec().shape(), model.envelope(), maxRows));
  }

  @Override
  public InferRequest read(ServedModel model, Body body) throws RefusedRequestException {
    if (body.jsonLength() < body.length()) {
      throw RefusedRequestException.bad(
          "Records have no binary data behind them; send tensors to infer");
    }
    return readers.read(model, reader -> reader.read(body.bytes(), body.length()));
  }

  @Override
  public Written write(InferRequest request, Answer answer) {
    ServedModel model = answer.model();
    ExampleShape shape = model.spec().shape();
    PredictedMembers members = new PredictedMembers(shape, model.classes());
    return Written.json(
        Json.object(
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
            }));
  }
}
