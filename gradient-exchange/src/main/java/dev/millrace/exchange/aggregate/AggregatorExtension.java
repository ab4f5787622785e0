package dev.millrace.exchange.aggregate;

import dev.millrace.extension.Extension;

/** Aggregators of somebody else's, for {@code exchange.aggregator}. */
public interface AggregatorExtension extends Extension<Aggregator> {}
