package dev.millrace.exchange.savepoint;

import java.util.List;

/**
 * Names of the operators that keep something of a model in training.
 *
 * @param publisherStates those of the publisher that stay where the model becomes another one
 */
public record SavedOperators(
    String coordinator,
    String exchange,
    String replica,
    String gatherer,
    String publisher,
    List<String> publisherStates) {}
