package dev.millrace.job.testing;

import dev.millrace.job.testing.TellingModels.Snapshot;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/** Ways in which a published model is no good. */
public enum BadModel {
  TRUNCATED {
    @Override
    void make(Path directory, long round) throws IOException {
      Path archive = TellingModels.publish(directory, round).archive();
      byte[] whole = Files.readAllBytes(archive);
      Files.write(archive, Arrays.copyOf(whole, whole.length - 30));
    }
  },
  GARBAGE {
    @Override
    void make(Path directory, long round) throws IOException {
      Snapshot snapshot = TellingModels.publish(directory, round);
      Files.writeString(snapshot.archive(), "no model at all");
    }
  },
  MISSING_ARCHIVE {
    @Override
    void make(Path directory, long round) throws IOException {
      Files.delete(TellingModels.publish(directory, round).archive());
    }
  },
  MISSING_DESCRIPTION {
    @Override
    void make(Path directory, long round) throws IOException {
      Files.delete(TellingModels.publish(directory, round).description());
    }
  },
  OTHER_INPUT_SIZE {
    @Override
    void make(Path directory, long round) throws IOException {
      ExampleShape other = new ExampleShape(2, 2, Target.REGRESSION);
      TellingModels.publish(directory, TellingModels.model(other, round));
    }
  },
  /** The description says what is wanted, and the archive is another network. */
  OTHER_NETWORK_THAN_DESCRIBED {
    @Override
    void make(Path directory, long round) throws IOException {
      Path elsewhere = directory.resolve("elsewhere");
      Path description = TellingModels.publish(elsewhere, round).description();
      OTHER_INPUT_SIZE.make(directory, round);
      Files.copy(
          description,
          directory.resolve(description.getFileName()),
          StandardCopyOption.REPLACE_EXISTING);
    }
  },
  NOT_A_NUMBER {
    @Override
    void make(Path directory, long round) throws IOException {
      GlobalModel model = TellingModels.model(TellingModels.SHAPE, round);
      model.vector()[1] = Float.NaN;
      TellingModels.publish(directory, model);
    }
  },
  MORE_THAN_MEMORY {
    @Override
    void make(Path directory, long round) throws IOException {
      HugeModel.publish(directory, round);
    }
  },
  /** Layers in layers, which a reader that recurses has no stack for. */
  NESTED_TOO_DEEPLY {
    @Override
    void make(Path directory, long round) throws IOException {
      HugeModel.publishNested(directory, round);
    }
  },
  OF_AN_ENGINE_THAT_IS_NOT_THERE {
    @Override
    void make(Path directory, long round) throws IOException {
      Path described = TellingModels.publish(directory, round).description();
      String description = Files.readString(described);
      Files.writeString(described, description.replace("\"dl4j\"", "\"tensorflux\""));
    }
  };

  /** Makes one in a directory that nobody watches. */
  abstract void make(Path directory, long round) throws IOException;

  /** Publishes one in a directory that may be watched, whole or not at all. */
  public void publish(Path directory, long round) throws IOException {
    Path staging = Files.createTempDirectory(directory.getParent(), "staging");
    make(staging, round);
    for (String file :
        List.of("model-1." + round + ".zip", "model-1." + round + ".json", "latest.json")) {
      if (Files.exists(staging.resolve(file))) {
        Files.move(staging.resolve(file), directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }
}
