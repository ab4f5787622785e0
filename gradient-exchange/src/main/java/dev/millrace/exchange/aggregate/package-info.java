/** How the contributions of a round become the next global block. Pure Java. */
package dev.millrace.exchange.aggregate;
