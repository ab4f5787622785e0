/** What the exchange keeps of a model, for a larger one. */
package dev.millrace.exchange.grow;
