package dev.millrace.exchange.drift;

import java.util.List;

/**
 * What a detector has found in the contributions of a round.
 *
 * @param detector its name
 * @param before mean error before the drift; NaN where features drifted
 * @param after mean error since; NaN where features drifted
 * @param features numbers of those that drifted; none where the error did
 */
public record Finding(String detector, double before, double after, List<Integer> features) {}
