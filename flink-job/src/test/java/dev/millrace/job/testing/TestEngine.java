package dev.millrace.job.testing;

import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The engines that a job's guarantees hold for. */
public enum TestEngine {
  DL4J {
    @Override
    public PlainNetwork open(Path archive) throws IOException {
      return new PlainDl4jNetwork(archive);
    }
  },
  TORCH {
    @Override
    public PlainNetwork open(Path archive) {
      return new PlainTorchNetwork(archive, engine().readArchive(archive));
    }
  };

  /** As {@code model.engine} has it. */
  public String option() {
    return name().toLowerCase(Locale.ROOT);
  }

  public ModelEngine engine() {
    return ModelEngine.named(option());
  }

  /** An archive, as the engine's library reads it. */
  public abstract PlainNetwork open(Path archive) throws IOException;
}
