package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;

/** Tensors, as the Open Inference Protocol has them. */
final class TensorForm implements Form {

  private final AnswerWriter writer;
  private final int maxRows;

  /**
   * @param name that clients call the model by
   */
  TensorForm(String name, int maxRows) {
    this.writer = new AnswerWriter(name);
    this.maxRows = maxRows;
  }

  @Override
  public InferRequest read(ServedModel model, byte[] body, int length)
      throws RefusedRequestException {
    return new RequestReader(Signature.of(model), maxRows).read(body, length);
  }

  @Override
  public byte[] write(InferRequest request, Answer answer) {
    return writer.write(request, answer);
  }
}
