package dev.millrace.chaos;

import java.time.Duration;

/**
 * A fault, and how training went on.
 *
 * @param time from the fault's end until the next round was made
 */
public record Recovery(FaultKind kind, Duration time) {}
