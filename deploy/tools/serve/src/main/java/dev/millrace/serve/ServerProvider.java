package dev.millrace.serve;

import dev.millrace.job.serve.PredictionServer;
import dev.millrace.job.serve.ServerSettings;
import java.io.IOException;

/** Found by {@link PredictionServer#find}. */
public final class ServerProvider implements PredictionServer.Provider {

  @Override
  public PredictionServer start(ServerSettings settings) throws IOException {
    return new RunningServer(settings);
  }
}
