package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;

/** Tensors, as the Open Inference Protocol has them, with its extension for binary data. */
final class TensorForm implements Form {

  private final AnswerWriter writer;
  private final ReaderPool<RequestReader> readers;

  /**
   * @param name that clients call the model by
   */
  TensorForm(String name, ReaderPool<RequestReader> readers) {
    this.writer = new AnswerWriter(name);
    this.readers = readers;
  }

  @Override
  public InferRequest read(ServedModel model, Body body) throws RefusedRequestException {
    return readers.read(model, reader -> reader.read(body));
  }

  @Override
  public Written write(InferRequest request, Answer answer) {
    return writer.write(request, answer);
  }
}
