package dev.millrace.serve;

import dev.millrace.model.IdLists;
import java.util.List;

/**
 * A request that was found right: rows to predict for.
 *
 * @param idOrNull given back with the answer
 * @param rows at least 1
 * @param features row-major, as examples have them before they are completed
 * @param words row-major, null for a missing one
 * @param ids rows of the shape's ids
 * @param steps of each row's sequence; 0 where examples are none
 * @param outputs to answer with
 */
record InferRequest(
    String idOrNull,
    int rows,
    float[] features,
    String[] words,
    IdLists ids,
    int steps,
    List<WantedOutput> outputs) {}
