package dev.millrace.serve.grpc;

import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Limits;
import dev.millrace.serve.Front;
import dev.millrace.serve.PredictionService;
import java.io.IOException;

/** Found by {@link Front#find}. */
public final class GrpcProvider implements Front.Provider {

  @Override
  public Front start(Endpoint endpoint, Limits limits, PredictionService service)
      throws IOException {
    return GrpcFront.start(endpoint, limits, service);
  }
}
