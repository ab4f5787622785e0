package dev.millrace.exchange.aggregate;

import dev.millrace.extension.Extension;

/** Server optimizers of somebody else's, for {@code exchange.server-optimizer}. */
public interface ServerOptimizerExtension extends Extension<ServerOptimizer> {}
