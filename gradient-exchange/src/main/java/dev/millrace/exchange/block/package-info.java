/** One parameter block of the global model, and what comes to it and goes from it. Pure Java. */
package dev.millrace.exchange.block;
