package dev.millrace.chaos;

import java.time.Duration;

/**
 * One fault of a plan.
 *
 * @param after time that training goes on undisturbed before it
 * @param length how long it lasts, where it is a state and no event
 * @param victim which of those that could be hit is hit, modulo their number; never negative
 */
public record PlannedFault(FaultKind kind, Duration after, Duration length, int victim) {}
