package dev.millrace.serve;

import java.util.List;
import java.util.Optional;

/**
 * What one version of a model says of a request's rows.
 *
 * @param id that of the request
 */
public record TensorAnswer(
    String model, String version, Optional<String> id, List<RawTensor> outputs) {}
