package dev.millrace.job.follow;

import dev.millrace.snapshot.TrustedKeys;
import java.io.Serializable;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.flink.configuration.Configuration;

/** Where updates of models are published; opened where predictions are made. */
public interface UpdatePlace extends Serializable {

  /** Finds a place in options. An optional part that is found by {@link ServiceLoader}. */
  interface Provider {

    /**
     * Returns the place that options name.
     *
     * @param keys one of which has signed each update; none where nobody has to
     */
    Optional<UpdatePlace> place(Configuration options, TrustedKeys keys);
  }

  ModelUpdates open();

  /** Returns the place that options name, if there is one. */
  static Optional<UpdatePlace> of(Configuration options, TrustedKeys keys) {
    return ServiceLoader.load(Provider.class, UpdatePlace.class.getClassLoader()).stream()
        .flatMap(provider -> provider.get().place(options, keys).stream())
        .findFirst();
  }
}
