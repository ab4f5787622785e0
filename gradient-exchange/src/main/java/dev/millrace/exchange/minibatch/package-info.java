/** How examples become minibatches. No Flink. */
package dev.millrace.exchange.minibatch;
