/** How one complete version of the global model leaves the exchange. Pure Java. */
package dev.millrace.exchange.publication;
