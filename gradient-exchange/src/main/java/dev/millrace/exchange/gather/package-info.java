/** Contributions of one process, combined before they leave it. Pure Java. */
package dev.millrace.exchange.gather;
