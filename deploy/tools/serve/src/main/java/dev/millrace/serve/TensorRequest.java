package dev.millrace.serve;

import java.util.List;
import java.util.Optional;

/**
 * A request for predictions of tensors.
 *
 * @param model its name
 * @param version of the model; the one that is served where none is given
 * @param id given back with the answer, if it has one
 * @param outputs names of those to answer with; none for all
 * @param missing the text that stands for a missing value, if one does
 */
public record TensorRequest(
    String model,
    Optional<String> version,
    Optional<String> id,
    List<RawTensor> inputs,
    List<String> outputs,
    Optional<String> missing) {}
